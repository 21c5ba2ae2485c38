SELECT
  g,
  e.v,
  e.r
FROM (
  SELECT
    j0,
    v,
    COUNT(*) AS r
  FROM (
    SELECT
      rows.j0,
      rows.s,
      v
    FROM rows_1 AS rows
    JOIN values_2 AS values_
      ON rows.p0 IS NOT DISTINCT FROM values_.p0
  ) AS t
  GROUP BY
    j0,
    v
) AS e
JOIN groups_3 AS groups
  ON e.j0 IS NOT DISTINCT FROM groups.j0
