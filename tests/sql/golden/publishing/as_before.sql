SELECT
  REGEXP_REPLACE("sex", '^''', '', 'g') AS "sex",
  REGEXP_REPLACE("age", '^''', '', 'g') AS "age"
FROM table_file_1 AS file
