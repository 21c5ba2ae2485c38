SELECT
  2 AS r,
  CAST("group" AS TEXT) AS g,
  CAST("problem" AS TEXT) AS x,
  "row of the file" AS row
FROM file AS source
