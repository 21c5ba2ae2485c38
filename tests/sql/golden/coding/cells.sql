SELECT
  CAST("age" AS TEXT) AS x0,
  CAST("town" AS TEXT) AS x2,
  "row" AS row
FROM file_1 AS file
