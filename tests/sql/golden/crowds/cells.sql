SELECT
  a,
  CASE WHEN s THEN DENSE_RANK() OVER (ORDER BY s, x0, x1) ELSE 0 END AS cell
FROM (
  SELECT
    a,
    k1 AS s,
    k2 AS x0,
    CASE WHEN k1 THEN k0 END AS x1
  FROM classes AS classes
) AS n
ORDER BY
  a NULLS FIRST
