SELECT
  zip = 9 AS public0,
  pay = 3 AS private0,
  CAST(pay AS BIGINT) AS compared,
  (
    CAST(charge AS BIGINT)
  ) AS threshold0
FROM source AS source
