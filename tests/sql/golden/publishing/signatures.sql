SELECT
  signatures.s
FROM people_2 AS people
JOIN signatures_3 AS signatures
  ON people.q0 IS NOT DISTINCT FROM signatures.q0
ORDER BY
  people.person NULLS FIRST
