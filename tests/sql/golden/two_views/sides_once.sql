SELECT
  g,
  rows AS m
FROM groups_5 AS groups
