SELECT
  "row" AS person,
  CAST("age" AS TEXT) AS q0,
  CAST("sex" AS TEXT) AS q1
FROM table_file_1 AS file
