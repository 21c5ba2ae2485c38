SELECT
  person,
  CAST("bucket" AS TEXT) AS g,
  CAST("sex" AS TEXT) AS q0,
  CAST("age" AS TEXT) AS q1
FROM people_file_1 AS file
