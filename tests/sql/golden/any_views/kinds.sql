SELECT
  types,
  CAST(ROW_NUMBER() OVER (ORDER BY CAST(types AS TEXT)) - 1 AS INT) AS kind
FROM (
  SELECT DISTINCT
    types
  FROM people_types_12 AS people_types
) AS d
