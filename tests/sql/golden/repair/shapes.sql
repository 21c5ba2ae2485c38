SELECT
  COUNT(*) AS rows,
  COUNT(DISTINCT "age") AS d0,
  CAST(MIN("age") AS TEXT) AS low0,
  CAST(MAX("age") AS TEXT) AS high0,
  COUNT(DISTINCT "zip") AS d1,
  MIN(LENGTH("zip")) AS shortest1,
  MAX(LENGTH("zip")) AS longest1,
  BOOL_AND(CAST(REGEXP_MATCHES("zip", '^[A-Za-z0-9./-]+$') AS BOOLEAN)) AS codes1
FROM source AS source
