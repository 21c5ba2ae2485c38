SELECT
  codes1.code AS c1
FROM cells_2 AS cells
JOIN codes_5 AS codes1
  ON cells.x1 IS NOT DISTINCT FROM codes1.x
