SELECT
  d.i0,
  side.u0 AS a,
  d.w
FROM (
  SELECT
    i0,
    z0,
    z1,
    COUNT(*) AS w
  FROM rows_1 AS rows
  GROUP BY
    i0,
    z0,
    z1
) AS d
JOIN home_1 AS side
  ON d.z1 IS NOT DISTINCT FROM side.z1
