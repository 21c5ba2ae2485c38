SELECT
  d.j0,
  d.y0,
  g,
  CAST(ROW_NUMBER() OVER (ORDER BY g) - 1 AS INT) AS t
FROM (
  SELECT DISTINCT
    j0,
    y0
  FROM rows_1 AS rows
) AS d
JOIN groups_5 AS groups
  ON d.j0 IS NOT DISTINCT FROM groups.j0
