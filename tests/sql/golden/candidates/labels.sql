SELECT DISTINCT
  t0 AS x
FROM levels_3 AS levels
