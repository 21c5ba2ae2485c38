SELECT
  n,
  rows
FROM groups_5 AS groups
ORDER BY
  g NULLS FIRST
