SELECT
  p,
  ROW_NUMBER() OVER (ORDER BY p) - 1 AS v
FROM (
  SELECT DISTINCT
    "pay" AS p
  FROM source AS source
) AS d
