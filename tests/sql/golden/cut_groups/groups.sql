SELECT
  u0 AS a,
  0 AS g
FROM home_1 AS side
