SELECT
  COALESCE(MAX(k), 0) > 1 AS found
FROM (
  SELECT
    COUNT(*) AS k
  FROM (
    SELECT DISTINCT
      p0,
      j0,
      x0
    FROM (
      SELECT
        *
      FROM rows_1 AS rows
      LIMIT 3
    ) AS a
  ) AS c
  GROUP BY
    p0
) AS b
