SELECT
  people_types.i0,
  kinds.kind
FROM people_types_12 AS people_types
JOIN kinds_13 AS kinds
  ON people_types.types = kinds.types
