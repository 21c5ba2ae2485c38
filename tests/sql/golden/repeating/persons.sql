SELECT
  d.i0,
  g,
  own,
  joined
FROM (
  SELECT
    i0,
    j0,
    CAST(SUM(w) AS BIGINT) AS own,
    COUNT(*) AS joined
  FROM (
    SELECT
      i0,
      j0,
      p0,
      COUNT(*) AS w
    FROM rows_1 AS rows
    GROUP BY
      i0,
      j0,
      p0
  ) AS e
  GROUP BY
    i0,
    j0
) AS d
JOIN groups_3 AS groups
  ON d.j0 IS NOT DISTINCT FROM groups.j0
