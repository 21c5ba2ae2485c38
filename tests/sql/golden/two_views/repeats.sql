SELECT
  COALESCE(MAX(k), 0) > 1 AS found
FROM (
  SELECT
    COUNT(*) AS k
  FROM rows_1 AS rows
  GROUP BY
    i0
) AS b
