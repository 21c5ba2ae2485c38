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
    CAST(1 AS BIGINT) AS c,
    COUNT(*) AS r,
    COUNT(*) AS s
  FROM (
    SELECT
      rows.j0,
      rows.p0,
      rows.s
    FROM rows_1 AS rows
  ) AS t
  GROUP BY
    j0,
    p0
) AS t
JOIN values_2 AS values_
  ON t.p0 IS NOT DISTINCT FROM values_.p0
