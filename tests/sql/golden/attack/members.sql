SELECT
  u,
  person
FROM seats AS seats
ORDER BY
  u NULLS FIRST,
  person NULLS FIRST
