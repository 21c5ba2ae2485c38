SELECT DISTINCT
  m,
  shape
FROM uneven_small_13 AS uneven_small
