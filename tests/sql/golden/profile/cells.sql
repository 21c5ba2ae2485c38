SELECT
  "zip",
  "age"
FROM source AS source
