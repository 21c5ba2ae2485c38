SELECT
  CAST(COALESCE(SUM(s) FILTER(WHERE
    k = 1), 0) AS BIGINT) AS certain,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    r * 0.999999999 > 0.5 * m), 0) AS BIGINT) AS bag,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    n <= m AND c * 0.999999999 > 0.5 * n), 0) AS BIGINT) AS keyed,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      k = 1 OR weight * POWER(1.0 - POWER(2.0, 1 - m), n) * 0.999999999 > 0.5 * weights),
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
    POWER(2.0, c - w) - POWER(2.0, -w) AS weight,
    SUM(POWER(2.0, c - w) - POWER(2.0, -w)) OVER () AS weights
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
