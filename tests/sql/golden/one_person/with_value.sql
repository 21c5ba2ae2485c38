SELECT
  *,
  x0 AS p0
FROM rows_1 AS rows
