SELECT DISTINCT
  CAST("age" - "age" % 10 AS TEXT) AS x
FROM source_1 AS source
WHERE
  NOT "age" - "age" % 10 IS NULL
