SELECT
  first_u AS u,
  COUNT(*) AS often
FROM alike_17 AS alike
GROUP BY
  first_u
