SELECT
  COUNT(*) AS n,
  MIN(row) AS row
FROM (
  SELECT
    row,
    x,
    FIRST_VALUE(x) OVER (PARTITION BY person ORDER BY row) AS before
  FROM seats AS seats
) AS s
WHERE
  x IS DISTINCT FROM before
