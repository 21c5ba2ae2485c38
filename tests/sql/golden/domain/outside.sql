SELECT
  COUNT(*) AS cells,
  CAST(COALESCE(SUM(n), 0) AS BIGINT) AS rows
FROM (
  SELECT
    c.p,
    COUNT(*) AS n
  FROM (
    SELECT
      "pay" AS p
    FROM source AS source
  ) AS c
  LEFT JOIN (
    SELECT
      p,
      TRUE AS known
    FROM (
      SELECT DISTINCT
        p
      FROM (
        SELECT
          TRY_CAST('3' AS INT) AS p
        UNION
        SELECT
          TRY_CAST(NULL AS INT) AS p
      ) AS g
    ) AS d
  ) AS k
    ON c.p IS NOT DISTINCT FROM k.p
  WHERE
    k.known IS NULL
  GROUP BY
    c.p
) AS m
