SELECT
  h,
  v
FROM combinations AS combinations
CROSS JOIN domain AS domain
WHERE
  c2 * p > 20
