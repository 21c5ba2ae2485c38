SELECT
  u1 AS u,
  SUM(n) / MIN(mu1) AS w,
  MIN(mu1) AS mu
FROM bundles_6 AS bundles
GROUP BY
  u1
