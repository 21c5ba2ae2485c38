SELECT
  cells.x0 AS "sex",
  cells.x1 AS "age",
  placed.grp AS "group"
FROM placed_4 AS placed
JOIN cells_5 AS cells
  ON placed.row = cells.row
ORDER BY
  placed.place NULLS FIRST
