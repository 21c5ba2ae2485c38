SELECT
  COUNT(*) AS k
FROM (
  SELECT DISTINCT
    i0
  FROM rows_1 AS rows
) AS d
