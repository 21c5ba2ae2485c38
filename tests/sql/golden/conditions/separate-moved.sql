SELECT
  CAST(pay AS BIGINT) AS compared,
  (
    CAST(charge AS BIGINT) + -(
      10
    ) + CAST(zip AS BIGINT)
  ) AS threshold0
FROM source AS source
