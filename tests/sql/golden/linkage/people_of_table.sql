SELECT
  CAST("id" AS TEXT) AS i0,
  CAST("sex" AS TEXT) AS q0,
  CAST("age" AS TEXT) AS q1,
  CAST("problem" AS TEXT) AS p0
FROM table_file_15 AS source
