SELECT
  x,
  is_number
FROM codes_4 AS codes
ORDER BY
  code NULLS FIRST
