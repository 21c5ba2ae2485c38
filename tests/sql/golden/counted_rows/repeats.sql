SELECT
  COUNT(*) <> (
    SELECT
      SUM(mu0)
    FROM side_3 AS home
  ) AS found
FROM rows_1 AS rows
