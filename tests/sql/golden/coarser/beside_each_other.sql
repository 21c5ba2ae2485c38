SELECT DISTINCT
  "pay",
  "pay band"
FROM source_1 AS source
