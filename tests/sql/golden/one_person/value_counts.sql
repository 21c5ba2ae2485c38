SELECT
  d,
  p0,
  r,
  COUNT(*) AS many
FROM value_side_9 AS value_side
GROUP BY
  d,
  p0,
  r
ORDER BY
  d NULLS FIRST,
  p0 NULLS FIRST,
  r NULLS FIRST
