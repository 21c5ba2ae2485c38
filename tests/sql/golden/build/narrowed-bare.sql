SELECT
  "name" AS i0,
  0 AS j0,
  "problem" AS p0,
  TRUE AS s
FROM source_1 AS source
