SELECT
  pay AS compared,
  charge AS threshold0
FROM source AS source
