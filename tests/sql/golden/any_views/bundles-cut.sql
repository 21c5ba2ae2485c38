SELECT
  side0.u0,
  side0.mu0,
  side1.u1,
  side1.mu1,
  values_.v,
  CAST(side0.mu0 AS DOUBLE) * CAST(side1.mu1 AS DOUBLE) AS n
FROM side_3 AS side0
JOIN side_5 AS side1
  ON TRUE
JOIN possible_19 AS possible0
  ON side0.z1 IS NOT DISTINCT FROM possible0.z1
  AND side1.z2 IS NOT DISTINCT FROM possible0.z2
JOIN values_2 AS values_
  ON side1.z3 IS NOT DISTINCT FROM values_.p0
