SELECT
  q.a,
  1 AS k,
  q.u,
  q.t,
  q.mu,
  w.w
FROM (
  SELECT
    u0 AS a,
    u1 AS u,
    SUM(n) / MIN(mu0) / MIN(mu1) AS t,
    MIN(mu1) AS mu
  FROM bundles_6 AS bundles
  GROUP BY
    u0,
    u1
) AS q
JOIN clauses_7 AS w
  ON q.u = w.u
UNION ALL
SELECT
  q.a,
  2 AS k,
  q.u,
  q.t,
  q.mu,
  w.w
FROM (
  SELECT
    u0 AS a,
    u2 AS u,
    SUM(n) / MIN(mu0) / MIN(mu2) AS t,
    MIN(mu2) AS mu
  FROM bundles_6 AS bundles
  GROUP BY
    u0,
    u2
) AS q
JOIN clauses_8 AS w
  ON q.u = w.u
