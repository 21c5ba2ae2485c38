SELECT
  x,
  ROW_NUMBER() OVER (ORDER BY x) - 1 AS v
FROM (
  SELECT DISTINCT
    x
  FROM published AS published
) AS f
