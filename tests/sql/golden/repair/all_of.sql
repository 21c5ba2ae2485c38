SELECT DISTINCT
  i0
FROM (
  SELECT
    i0
  FROM rows AS one
  UNION
  SELECT
    i0
  FROM people AS one
) AS lists
