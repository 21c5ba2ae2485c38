SELECT
  person,
  MIN(v) AS v
FROM seats AS seats
GROUP BY
  person
ORDER BY
  person NULLS FIRST
