SELECT
  z1,
  CAST(ROW_NUMBER() OVER () - 1 AS INT) AS u0,
  COUNT(*) AS mu0
FROM (
  SELECT DISTINCT
    z0,
    z1
  FROM rows_1 AS rows
) AS d
GROUP BY
  z1
