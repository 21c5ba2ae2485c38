SELECT
  COUNT(*) AS n,
  MIN(row) AS row
FROM seats AS seats
WHERE
  r IS NULL OR NOT r BETWEEN 1 AND 2
