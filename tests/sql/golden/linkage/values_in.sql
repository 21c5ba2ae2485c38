SELECT
  x
FROM published_values_4 AS values_
WHERE
  g = 'a'
ORDER BY
  x NULLS FIRST
