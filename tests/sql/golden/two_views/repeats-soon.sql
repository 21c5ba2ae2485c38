SELECT
  COALESCE(MAX(k), 0) > 1 AS found
FROM (
  SELECT
    COUNT(*) AS k
  FROM (
    SELECT
      *
    FROM rows_1 AS rows
    LIMIT 2
  ) AS a
  GROUP BY
    i0
) AS b
