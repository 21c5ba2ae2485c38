SELECT
  CAST(COALESCE(SUM(s) FILTER(WHERE
    k = 1), 0) AS BIGINT) AS certain,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      r * CAST(0.999999999 AS DOUBLE) > CAST(0.5 AS DOUBLE) * m),
    0
  ) AS BIGINT) AS bag,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      n <= m AND c * CAST(0.999999999 AS DOUBLE) > CAST(0.5 AS DOUBLE) * n),
    0
  ) AS BIGINT) AS keyed,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      k = 1
      OR weight * POWER(1 - POWER(CAST(2 AS DOUBLE), 1 - m), n) * CAST(0.999999999 AS DOUBLE) > CAST(0.5 AS DOUBLE) * weights),
    0
  ) AS BIGINT) AS restricted
FROM (
  SELECT
    c,
    r,
    s,
    m,
    n,
    k,
    POWER(CAST(2 AS DOUBLE), c - w) - POWER(CAST(2 AS DOUBLE), -w) AS weight,
    SUM(POWER(CAST(2 AS DOUBLE), c - w) - POWER(CAST(2 AS DOUBLE), -w)) OVER () AS weights
  FROM (
    SELECT
      c,
      r,
      s,
      SUM(r) OVER () AS m,
      SUM(c) OVER () AS n,
      COUNT(*) OVER () AS k,
      MAX(c) OVER () AS w
    FROM (
      SELECT
        p,
        COUNT(*) AS c,
        SUM(r) AS r,
        SUM(s) AS s
      FROM (
        SELECT
          c1,
          p,
          SUM(r) AS r,
          SUM(s) AS s
        FROM cube AS cube
        GROUP BY
          c1,
          p
      ) AS tuples
      GROUP BY
        p
    ) AS values_
  ) AS sums
) AS weighed
