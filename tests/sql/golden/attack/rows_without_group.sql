SELECT
  COUNT(*) AS n,
  MIN(row) AS row
FROM published AS published
WHERE
  r = 2 AND g IS NULL
