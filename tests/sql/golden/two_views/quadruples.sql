SELECT DISTINCT
  m,
  n,
  c
FROM shapes_7 AS shapes
