SELECT
  CAST(0 AS INT) AS u0,
  COUNT(*) AS mu0
FROM (
  SELECT DISTINCT
    z0,
    z1
  FROM rows_1 AS rows
) AS d
