SELECT
  COALESCE(MAX(k), 0) > 1 AS found
FROM (
  SELECT
    COUNT(*) AS k
  FROM (
    SELECT DISTINCT
      i0,
      j0,
      y0
    FROM rows_1 AS rows
  ) AS c
  GROUP BY
    i0
) AS b
