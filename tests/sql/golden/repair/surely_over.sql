SELECT
  CAST(COALESCE(SUM(s) FILTER(WHERE
    k = 1), 0) AS BIGINT) AS certain,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    r * 0.999999999 > 0.6 * m), 0) AS BIGINT) AS bag,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    n <= m AND c * 0.999999999 > 0.6 * n), 0) AS BIGINT) AS keyed,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      k = 1 OR weight * POWER(1.0 - POWER(2.0, 1 - m), n) * 0.999999999 > 0.6 * weights),
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
    SUM(POWER(2.0, c - w) - POWER(2.0, -w)) OVER (PARTITION BY c0) AS weights
  FROM (
    SELECT
      c,
      r,
      s,
      SUM(r) OVER (PARTITION BY c0) AS m,
      SUM(c) OVER (PARTITION BY c0) AS n,
      COUNT(*) OVER (PARTITION BY c0) AS k,
      MAX(c) OVER (PARTITION BY c0) AS w,
      c0
    FROM (
      SELECT
        c0,
        p,
        COUNT(*) AS c,
        SUM(r) AS r,
        SUM(s) AS s
      FROM (
        SELECT
          c0,
          c1,
          p,
          SUM(r) AS r,
          SUM(s) AS s
        FROM cube AS cube
        GROUP BY
          c0,
          c1,
          p
      ) AS tuples
      GROUP BY
        c0,
        p
    ) AS values_
  ) AS sums
) AS weighed
