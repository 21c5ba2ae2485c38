SELECT
  COUNT(*) AS n,
  MIN(g) AS g,
  ARG_MIN(people, g) AS people,
  ARG_MIN(copies, g) AS copies
FROM groups_5 AS groups
WHERE
  people <> copies
