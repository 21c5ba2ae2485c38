SELECT
  CAST(SUM(n) AS DOUBLE) AS rows,
  CAST(SUM(n * LN(CAST(n AS DOUBLE))) AS DOUBLE) AS nlogn
FROM (
  SELECT
    c1,
    SUM(r) AS n
  FROM cube AS cube
  GROUP BY
    c1
) AS counted
