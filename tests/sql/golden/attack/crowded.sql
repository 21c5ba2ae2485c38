SELECT
  COUNT(*) AS n,
  MIN(row) AS row,
  FIRST(g ORDER BY row) AS g,
  FIRST(r ORDER BY row) AS r,
  FIRST(members ORDER BY row) AS members,
  FIRST(copies ORDER BY row) AS copies
FROM (
  SELECT
    u,
    MIN(r) AS r,
    MIN(g) AS g,
    COUNT(*) AS members,
    MIN(copies) AS copies,
    MIN(row) AS row
  FROM seats AS seats
  WHERE
    NOT u IS NULL
  GROUP BY
    u
  HAVING
    COUNT(*) > MIN(copies)
) AS o
