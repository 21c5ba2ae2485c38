SELECT
  d.i0,
  side0.u0 AS a
FROM (
  SELECT DISTINCT
    i0,
    z0,
    z1
  FROM rows_1 AS rows
) AS d
JOIN side_3 AS side0
  ON d.z1 IS NOT DISTINCT FROM side0.z1
