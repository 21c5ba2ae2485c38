SELECT
  *
FROM source_1 AS source
WHERE
  NOT "ten" IS NULL AND NOT "town" IS NULL
