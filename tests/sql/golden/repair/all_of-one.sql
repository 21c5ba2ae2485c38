SELECT DISTINCT
  i0
FROM (
  SELECT
    i0
  FROM rows AS one
) AS lists
