SELECT
  CASE WHEN (
    pay > 3
  ) THEN 2 WHEN NOT (
    pay > 3
  ) THEN 0 ELSE 1 END AS truth
FROM source AS source
