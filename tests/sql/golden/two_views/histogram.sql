SELECT
  j0,
  c,
  COUNT(*) AS vals,
  CAST(SUM(r) AS BIGINT) AS r,
  CAST(SUM(s) AS BIGINT) AS s
FROM cells_3 AS cells
GROUP BY
  j0,
  c
