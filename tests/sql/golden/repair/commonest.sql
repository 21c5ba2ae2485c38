SELECT
  CAST(SUM(n) AS BIGINT) AS rows,
  MAX(n) AS most
FROM (
  SELECT
    COUNT(*) AS n
  FROM (
    SELECT
      "p" AS p
    FROM source AS source
  ) AS cells
  GROUP BY
    p
) AS counted
