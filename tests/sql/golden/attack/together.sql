SELECT
  1 AS r,
  CAST("g" AS TEXT) AS g,
  CAST("x" AS TEXT) AS x,
  "row of the file" AS row
FROM file AS source
UNION ALL
SELECT
  2 AS r,
  CAST("g" AS TEXT) AS g,
  CAST("x" AS TEXT) AS x,
  "row of the file" AS row
FROM other AS source
