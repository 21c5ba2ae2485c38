SELECT
  q1
FROM signatures_10 AS numbered
ORDER BY
  s NULLS FIRST
