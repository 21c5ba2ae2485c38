SELECT
  CAST("bucket" AS TEXT) AS g,
  CAST("problem" AS TEXT) AS x
FROM values_file_2 AS file
