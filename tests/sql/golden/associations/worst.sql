SELECT
  MAX(keyed_value) AS worst
FROM wide_2 AS wide
