SELECT
  k0 AS t
FROM classes AS classes
ORDER BY
  a NULLS FIRST
