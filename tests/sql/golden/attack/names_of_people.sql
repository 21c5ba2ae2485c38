SELECT
  i0
FROM people AS people
ORDER BY
  person NULLS FIRST
