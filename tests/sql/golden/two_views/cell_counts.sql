SELECT
  g,
  v,
  c,
  r
FROM coded_cells_8 AS coded_cells
