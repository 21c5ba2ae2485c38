SELECT
  CAST(pay AS BIGINT) AS compared,
  (
    CAST(charge AS BIGINT)
  ) AS threshold0,
  (
    CAST(charge AS BIGINT) + 5
  ) AS threshold1
FROM source AS source
