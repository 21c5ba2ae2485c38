SELECT
  x0,
  CAST(1 AS BIGINT) << CAST(ROW_NUMBER() OVER () - 1 AS INT) AS bit
FROM few_others_19 AS few_others
