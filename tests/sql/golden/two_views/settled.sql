SELECT
  c.i0,
  g
FROM (
  SELECT DISTINCT
    i0,
    j0
  FROM rows_1 AS rows
) AS c
JOIN groups_5 AS groups
  ON c.j0 IS NOT DISTINCT FROM groups.j0
