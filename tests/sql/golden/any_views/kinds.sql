SELECT
  types,
  CAST(ROW_NUMBER() OVER () - 1 AS INT) AS kind
FROM (
  SELECT DISTINCT
    types
  FROM people_types_12 AS people_types
) AS d
