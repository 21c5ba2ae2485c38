SELECT
  p,
  ROW_NUMBER() OVER (ORDER BY p) - 1 AS v
FROM (
  SELECT DISTINCT
    p
  FROM (
    SELECT
      TRY_CAST('it''s' AS TEXT) AS p
  ) AS g
) AS d
