SELECT DISTINCT
  CAST("name" AS TEXT) AS i0
FROM (
  SELECT
    *
  FROM people
) AS crowds
WHERE
  "size" < 2
