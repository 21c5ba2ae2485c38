SELECT
  CASE
    WHEN (
      REGEXP_MATCHES(rows.c0, '^[-=+@\t\r\n＝＋－＠]')
      AND NOT REGEXP_MATCHES(rows.c0, '^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$')
    )
    OR STARTS_WITH(rows.c0, '''')
    THEN '''' || rows.c0
    ELSE rows.c0
  END AS "zip",
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
