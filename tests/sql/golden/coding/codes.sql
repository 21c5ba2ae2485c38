SELECT
  codes0.code AS c0,
  codes1.code AS c1
FROM cells_2 AS cells
JOIN codes_4 AS codes0
  ON cells.x0 IS NOT DISTINCT FROM codes0.x
JOIN codes_5 AS codes1
  ON cells.x1 IS NOT DISTINCT FROM codes1.x
ORDER BY
  cells.row NULLS FIRST
