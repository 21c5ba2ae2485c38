SELECT
  COUNT(*) AS groups,
  CAST(SUM(people) AS BIGINT) AS people
FROM groups_5 AS groups
