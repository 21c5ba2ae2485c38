SELECT
  v,
  DENSE_RANK() OVER (ORDER BY f0, f1) - 1 AS code
FROM domain AS domain
ORDER BY
  v NULLS FIRST
