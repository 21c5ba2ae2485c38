SELECT
  c1,
  p,
  CAST(SUM(r) AS BIGINT) AS r,
  CAST(SUM(s) AS BIGINT) AS s
FROM cube AS cube
GROUP BY
  c1,
  p
