SELECT
  i0,
  ROW_NUMBER() OVER (ORDER BY i0) - 1 AS person
FROM (
  SELECT DISTINCT
    i0
  FROM population AS population
) AS f
