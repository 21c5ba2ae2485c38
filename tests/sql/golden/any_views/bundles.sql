SELECT
  side0.u0,
  side0.mu0,
  side1.u1,
  side1.mu1,
  side2.u2,
  side2.mu2,
  values_.v,
  CAST(side0.mu0 AS DOUBLE) * CAST(side1.mu1 AS DOUBLE) * CAST(side2.mu2 AS DOUBLE) AS n
FROM side_3 AS side0
JOIN side_4 AS side1
  ON side0.z1 IS NOT DISTINCT FROM side1.z1
JOIN side_5 AS side2
  ON side1.z2 IS NOT DISTINCT FROM side2.z2
JOIN values_2 AS values_
  ON side2.z3 IS NOT DISTINCT FROM values_.p0
