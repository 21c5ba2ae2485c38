SELECT
  CAST("name" AS TEXT) AS x1
FROM file_1 AS file
