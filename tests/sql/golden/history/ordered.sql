SELECT
  *
FROM cells AS cells
ORDER BY
  row NULLS FIRST
