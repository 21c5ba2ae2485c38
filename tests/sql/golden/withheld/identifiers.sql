SELECT DISTINCT
  CAST("name" AS TEXT) AS i0,
  CAST("born" AS TEXT) AS i1
FROM source AS source
