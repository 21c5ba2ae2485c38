SELECT
  groups.u,
  signatures.s,
  COUNT(*) AS n
FROM published_people_3 AS people
JOIN groups_5 AS groups
  ON people.g IS NOT DISTINCT FROM groups.g
JOIN signatures_7 AS signatures
  ON people.q0 IS NOT DISTINCT FROM signatures.q0
GROUP BY
  groups.u,
  signatures.s
