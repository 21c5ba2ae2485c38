SELECT
  *
FROM values_3 AS a
