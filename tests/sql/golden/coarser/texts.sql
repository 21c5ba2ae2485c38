SELECT
  CAST("age" AS TEXT) AS "age",
  CAST("band" AS TEXT) AS "band",
  "row of the table"
FROM source_1 AS source
