SELECT
  COALESCE((
    pay > 3 OR charge > 5
  ), FALSE) AS holds
FROM source AS source
