SELECT
  c.i0,
  CAST(CAST(g AS BIGINT) * 6 + 2 * CAST(v AS BIGINT) + 1 AS INT) AS packed
FROM (
  SELECT
    rows.i0,
    rows.j0,
    rows.s,
    v
  FROM rows_1 AS rows
  JOIN values_2 AS values_
    ON rows.p0 IS NOT DISTINCT FROM values_.p0
) AS c
JOIN groups_5 AS groups
  ON c.j0 IS NOT DISTINCT FROM groups.j0
ORDER BY
  c.i0 NULLS FIRST
