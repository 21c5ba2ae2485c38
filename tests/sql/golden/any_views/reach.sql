SELECT
  u0 AS a,
  v,
  SUM(n) / MIN(mu0) AS c
FROM bundles_6 AS bundles
GROUP BY
  u0,
  v
