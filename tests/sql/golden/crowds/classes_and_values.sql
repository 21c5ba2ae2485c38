SELECT
  k0,
  CAST(SUM(n) AS BIGINT) AS size,
  MIN(p) AS low,
  COUNT(*) AS found
FROM (
  SELECT
    k0,
    p,
    COUNT(*) AS n
  FROM (
    SELECT
      k0,
      p
    FROM keyed AS keyed
  ) AS keyed
  GROUP BY
    k0,
    p
) AS t
GROUP BY
  k0
