SELECT
  COUNT(*) > 0 AS anybody
FROM (
  SELECT
    1 AS row
  FROM rest AS rest
  LIMIT 1
) AS one
