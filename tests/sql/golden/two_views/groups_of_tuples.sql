SELECT
  t,
  g
FROM tuples_11 AS tuples
ORDER BY
  t NULLS FIRST
