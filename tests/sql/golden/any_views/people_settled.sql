SELECT
  i0,
  a AS kind
FROM person_types_11 AS person_types
