SELECT
  x
FROM value_numbers AS values_
ORDER BY
  v NULLS FIRST
