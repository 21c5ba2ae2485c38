SELECT
  person
FROM published_people_3 AS people
WHERE
  g IS NULL
ORDER BY
  person NULLS FIRST
LIMIT 1
