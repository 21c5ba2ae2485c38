SELECT
  a,
  v,
  n
FROM types AS types
ORDER BY
  a NULLS FIRST,
  v NULLS FIRST
