SELECT
  x,
  d,
  CAST(SUM(d) OVER (ORDER BY x) AS BIGINT) AS upto
FROM (
  SELECT
    x,
    MAX(d) AS d
  FROM (
    SELECT DISTINCT
      CAST(p AS BIGINT) AS x,
      1 AS d
    FROM domain AS domain
    UNION ALL
    SELECT DISTINCT
      e2_0 AS x,
      0 AS d
    FROM combinations AS combinations
  ) AS u
  WHERE
    NOT x IS NULL
  GROUP BY
    x
) AS m
