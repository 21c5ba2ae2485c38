SELECT
  d,
  p0,
  COUNT(*) AS c,
  CAST(SUM(r) AS BIGINT) AS r
FROM value_side_9 AS value_side
GROUP BY
  d,
  p0
ORDER BY
  d NULLS FIRST,
  p0 NULLS FIRST
