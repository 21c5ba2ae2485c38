SELECT
  COUNT(*) AS k
FROM (
  SELECT
    1 AS one
  FROM side_3 AS side0
  JOIN side_4 AS side1
    ON side0.z1 IS NOT DISTINCT FROM side1.z1
  JOIN side_5 AS side2
    ON side1.z2 IS NOT DISTINCT FROM side2.z2
  JOIN values_2 AS values_
    ON side2.z3 IS NOT DISTINCT FROM values_.p0
  LIMIT 2
) AS q
