SELECT
  coded_cells.g,
  coded_cells.v,
  coded_cells.c,
  coded_cells.r,
  COALESCE(h.s, 0) AS s
FROM coded_cells_8 AS coded_cells
LEFT JOIN (
  SELECT
    g,
    v,
    COUNT(*) AS s
  FROM single_pairs_9 AS single_pairs
  GROUP BY
    g,
    v
) AS h
  ON coded_cells.g = h.g AND coded_cells.v = h.v
