SELECT
  zip > 1 AS public0,
  "pay" AS compared
FROM source AS source
