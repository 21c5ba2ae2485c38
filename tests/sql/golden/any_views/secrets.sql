SELECT DISTINCT
  rows.i0,
  values_.v
FROM rows_1 AS rows
JOIN values_2 AS values_
  ON rows.z3 IS NOT DISTINCT FROM values_.p0
WHERE
  rows.s
