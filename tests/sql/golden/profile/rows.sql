SELECT
  COUNT(*) AS rows
FROM source AS source
