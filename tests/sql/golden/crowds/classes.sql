SELECT
  k0,
  COUNT(*) AS size,
  MIN(p) AS low,
  CASE WHEN COUNT(p) = 0 OR (
    COUNT(p) = COUNT(*) AND MIN(p) = MAX(p)
  ) THEN 1 END AS found
FROM (
  SELECT
    k0,
    p
  FROM keyed AS keyed
) AS keyed
GROUP BY
  k0
