SELECT
  CAST("age" AS TEXT) AS "age"
FROM source_1 AS source
