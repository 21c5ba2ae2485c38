SELECT
  found
FROM classes AS classes
ORDER BY
  a NULLS FIRST
