SELECT
  classes.a,
  domain.v,
  keyed.n
FROM (
  SELECT
    k0,
    k1,
    k2,
    p,
    COUNT(*) AS n
  FROM keyed AS keyed
  GROUP BY
    k0,
    k1,
    k2,
    p
) AS keyed
JOIN classes AS classes
  ON keyed.k0 IS NOT DISTINCT FROM classes.k0
  AND keyed.k1 IS NOT DISTINCT FROM classes.k1
  AND keyed.k2 IS NOT DISTINCT FROM classes.k2
JOIN domain AS domain
  ON keyed.p IS NOT DISTINCT FROM domain.p
