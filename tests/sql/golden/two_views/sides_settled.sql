SELECT
  g,
  COUNT(*) AS m
FROM settled_10 AS settled
GROUP BY
  g
