SELECT
  COUNT(*) AS n
FROM rows_1 AS a
