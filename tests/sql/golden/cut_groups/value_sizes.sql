SELECT
  b,
  r,
  COUNT(*) AS many
FROM (
  SELECT
    side.u1 AS b,
    d.r
  FROM (
    SELECT
      z2,
      z3,
      z4,
      COUNT(*) AS r
    FROM rows_1 AS rows
    GROUP BY
      z2,
      z3,
      z4
  ) AS d
  JOIN other_1 AS side
    ON d.z2 IS NOT DISTINCT FROM side.z2 AND d.z4 IS NOT DISTINCT FROM side.z4
) AS t
GROUP BY
  b,
  r
ORDER BY
  b NULLS FIRST,
  r NULLS FIRST
