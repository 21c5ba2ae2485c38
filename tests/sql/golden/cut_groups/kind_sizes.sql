SELECT
  kind,
  COUNT(*) AS many
FROM people_1 AS people
GROUP BY
  kind
ORDER BY
  kind NULLS FIRST
