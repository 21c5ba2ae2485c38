SELECT
  j0,
  v,
  CAST(1 AS BIGINT) AS c,
  COUNT(*) AS r,
  COUNT(*) AS s
FROM (
  SELECT
    rows.j0,
    rows.s,
    v
  FROM rows_1 AS rows
  JOIN values_2 AS values_
    ON rows.p0 IS NOT DISTINCT FROM values_.p0
) AS t
GROUP BY
  j0,
  v
