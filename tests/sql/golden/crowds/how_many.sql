SELECT
  COUNT(*) AS n
FROM types AS counted
