SELECT
  COUNT(*) AS tuples,
  CAST(SUM(n) AS BIGINT) AS rows
FROM (
  SELECT
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS c0,
      "zip" AS c1
    FROM source AS source
    WHERE
      p = 'a'
  ) AS rows
  GROUP BY
    c0,
    c1
) AS counted
