SELECT
  COUNT(*) AS n,
  MIN(row) AS row
FROM (
  SELECT
    row,
    ROW_NUMBER() OVER (PARTITION BY r, person ORDER BY row) AS often
  FROM seats AS seats
) AS s
WHERE
  often > 1
