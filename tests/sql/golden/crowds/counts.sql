SELECT
  a,
  v,
  n
FROM types AS types
