SELECT
  "zip",
  "p"
FROM source AS source
WHERE
  age > 40
