SELECT
  TRY_CAST(CAST("release" AS TEXT) AS BIGINT) AS r,
  CAST("group" AS TEXT) AS g,
  CAST("name" AS TEXT) AS i0,
  NULL AS x,
  "row of the file" AS row
FROM file AS source
WHERE
  NOT (
    "name" IS NULL
  )
