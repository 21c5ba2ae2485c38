SELECT
  *
  EXCLUDE (n)
FROM bundles_6 AS bundles
