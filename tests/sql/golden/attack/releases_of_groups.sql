SELECT
  r
FROM group_numbers AS groups_
ORDER BY
  u NULLS FIRST
