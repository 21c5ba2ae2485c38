SELECT
  charge + source.pay > 9 AS renamed
FROM source AS source
