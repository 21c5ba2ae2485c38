SELECT
  j0,
  CAST(ROW_NUMBER() OVER () - 1 AS INT) AS g,
  CAST(SUM(vals) AS BIGINT) AS k,
  CAST(SUM(c * vals) AS BIGINT) AS n,
  CAST(SUM(r) AS BIGINT) AS rows,
  MIN(c) AS least,
  MAX(c) AS most
FROM histogram_4 AS hist
GROUP BY
  j0
