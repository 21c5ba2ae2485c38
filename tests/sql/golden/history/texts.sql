SELECT DISTINCT
  CAST("town" AS TEXT) AS t0,
  CAST("area" AS TEXT) AS t1
FROM file AS source
