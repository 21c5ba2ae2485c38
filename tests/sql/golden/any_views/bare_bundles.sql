SELECT
  u0,
  mu0,
  u1,
  mu1,
  u2,
  mu2,
  v
FROM bundles_6 AS bundles
ORDER BY
  u0 NULLS FIRST,
  u1 NULLS FIRST,
  u2 NULLS FIRST
