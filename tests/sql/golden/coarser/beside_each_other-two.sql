SELECT
  "a",
  "b"
FROM source_1 AS source
UNION
SELECT
  "a",
  "b"
FROM others_1 AS source
