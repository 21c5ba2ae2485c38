SELECT
  signatures.s,
  COALESCE(named.v, -1) AS v,
  t.n,
  t.total
FROM (
  SELECT
    *,
    CAST(SUM(n) OVER (PARTITION BY q0) AS BIGINT) AS total
  FROM (
    SELECT
      q0,
      x,
      COUNT(*) AS n
    FROM (
      SELECT
        CAST("sex" AS TEXT) AS q0,
        CAST("problem" AS TEXT) AS x
      FROM table_file_15 AS file
    ) AS t
    GROUP BY
      q0,
      x
  ) AS c
) AS t
JOIN signatures_7 AS signatures
  ON t.q0 IS NOT DISTINCT FROM signatures.q0
LEFT JOIN named_6 AS named
  ON t.x IS NOT DISTINCT FROM named.x
