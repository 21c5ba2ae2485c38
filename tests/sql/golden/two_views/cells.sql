SELECT
  t.j0,
  v,
  t.c,
  t.r,
  t.s
FROM (
  SELECT
    j0,
    p0,
    COUNT(*) AS c,
    CAST(SUM(r) AS BIGINT) AS r,
    CAST(SUM(s) AS BIGINT) AS s
  FROM (
    SELECT
      j0,
      p0,
      x0,
      COUNT(*) AS r,
      COUNT(*) FILTER(WHERE
        s) AS s
    FROM (
      SELECT
        rows.j0,
        rows.p0,
        rows.s,
        rows.x0
      FROM rows_1 AS rows
    ) AS t
    GROUP BY
      j0,
      p0,
      x0
  ) AS t
  GROUP BY
    j0,
    p0
) AS t
JOIN values_2 AS values_
  ON t.p0 IS NOT DISTINCT FROM values_.p0
