SELECT
  v,
  CAST(p0 AS TEXT) AS value
FROM values_5 AS values_
