SELECT
  CAST("age" AS TEXT) AS i0,
  CAST("zip" AS TEXT) AS i1,
  "charge" AS b0,
  "age" AS c0,
  CAST("zip" AS TEXT) AS c1,
  "pay" AS p
FROM source AS source
