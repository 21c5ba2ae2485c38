SELECT
  *
FROM rows_1 AS rows
WHERE
  CAST(i0 AS TEXT) = '7' OR CAST(i0 AS TEXT) = '9'
