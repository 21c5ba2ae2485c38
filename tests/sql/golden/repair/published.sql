SELECT
  rows.c0 AS "zip",
  rows.c1 AS "age"
FROM (
  SELECT
    "zip" AS c0,
    "age" AS c1
  FROM source AS source
) AS rows
ORDER BY
  rows.c0,
  rows.c1
