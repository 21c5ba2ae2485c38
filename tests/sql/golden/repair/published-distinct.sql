SELECT
  rows.c0 AS "zip",
  rows.c1 AS "age"
FROM (
  SELECT DISTINCT
    "zip" AS c0,
    "age" AS c1
  FROM source AS source
  WHERE
    age > 39
) AS rows
ORDER BY
  rows.c0,
  rows.c1
