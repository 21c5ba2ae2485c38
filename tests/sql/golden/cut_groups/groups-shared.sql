SELECT
  u0 AS a,
  z5,
  MIN(u0) OVER (PARTITION BY z5) AS g
FROM home_1 AS side
