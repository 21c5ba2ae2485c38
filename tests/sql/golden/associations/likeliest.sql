SELECT
  i0,
  keyed_value AS value
FROM wide_2 AS wide
WHERE
  NOT keyed_value IS NULL
ORDER BY
  value DESC,
  i0 NULLS FIRST
LIMIT 2
