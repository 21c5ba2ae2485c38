SELECT
  a,
  CASE WHEN s THEN DENSE_RANK() OVER (ORDER BY s, x0) ELSE 0 END AS cell
FROM (
  SELECT
    a,
    k0 <> 0 AS s,
    k1 AS x0
  FROM classes AS classes
) AS n
ORDER BY
  a NULLS FIRST
