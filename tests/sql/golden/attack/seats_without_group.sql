SELECT
  COUNT(*) AS n,
  MIN(row) AS row
FROM seats AS seats
WHERE
  g IS NULL
