SELECT
  c.i0,
  CAST(CAST(t AS BIGINT) * 12 + 2 * (
    CAST(v AS BIGINT) * 2 + o
  ) + CASE WHEN c.s THEN 1 ELSE 0 END AS BIGINT) AS packed
FROM (
  SELECT
    rows.i0,
    rows.j0,
    rows.y0,
    rows.x0,
    rows.s,
    v
  FROM rows_1 AS rows
  JOIN values_2 AS values_
    ON rows.p0 IS NOT DISTINCT FROM values_.p0
) AS c
JOIN tuples_11 AS tuples
  ON c.j0 IS NOT DISTINCT FROM tuples.j0 AND c.y0 IS NOT DISTINCT FROM tuples.y0
JOIN numbers_10 AS numbers
  ON c.x0 IS NOT DISTINCT FROM numbers.x0
ORDER BY
  c.i0 NULLS FIRST
