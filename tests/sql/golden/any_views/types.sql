SELECT DISTINCT
  a
FROM person_types_11 AS person_types
