SELECT
  j0,
  v,
  COUNT(*) AS c,
  CAST(SUM(r) AS BIGINT) AS r,
  CAST(SUM(s) AS BIGINT) AS s
FROM (
  SELECT
    j0,
    v,
    x0,
    COUNT(*) AS r,
    COUNT(*) FILTER(WHERE
      s) AS s
  FROM (
    SELECT
      rows.j0,
      rows.x0,
      rows.s,
      v
    FROM rows_1 AS rows
    JOIN values_2 AS values_
      ON rows.p0 IS NOT DISTINCT FROM values_.p0
  ) AS t
  GROUP BY
    j0,
    v,
    x0
) AS t
GROUP BY
  j0,
  v
