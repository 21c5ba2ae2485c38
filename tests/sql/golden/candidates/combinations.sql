SELECT DISTINCT
  "ten" AS z1,
  "fifteen" AS z2
FROM source_1 AS source
WHERE
  "age" > 12
