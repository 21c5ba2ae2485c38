SELECT
  c0,
  p,
  COUNT(*) AS r,
  CAST(COUNT(*) FILTER(WHERE
    s) AS BIGINT) AS s
FROM (
  SELECT
    "zip" AS c0,
    "p" AS p,
    COALESCE((
      p = 'a'
    ), FALSE) AS s
  FROM source AS source
  WHERE
    age > 39
) AS rows
GROUP BY
  c0,
  p
