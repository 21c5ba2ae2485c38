SELECT
  c0,
  p,
  COUNT(*) AS r,
  CAST(COUNT(*) FILTER(WHERE
    s) AS BIGINT) AS s
FROM (
  SELECT
    "age" AS c0,
    "p" AS p,
    TRUE AS s
  FROM source AS source
) AS rows
GROUP BY
  c0,
  p
