SELECT
  people.g,
  COUNT(DISTINCT people.person) AS people,
  MAX(probability) AS probability
FROM (
  SELECT
    person,
    probability
  FROM worst_13 AS worst
) AS worst
JOIN published_people_3 AS people
  ON worst.person = people.person
GROUP BY
  people.g
HAVING
  NOT MAX(probability) IS NULL
ORDER BY
  probability DESC,
  people NULLS FIRST,
  people.g NULLS FIRST
LIMIT 1
