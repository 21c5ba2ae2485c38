SELECT
  CAST("problem" AS TEXT) AS x
FROM table_file_1 AS file
