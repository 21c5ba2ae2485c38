SELECT DISTINCT
  c.i0,
  g,
  v
FROM (
  SELECT
    rows.i0,
    rows.j0,
    rows.s,
    v
  FROM rows_1 AS rows
  JOIN values_2 AS values_
    ON rows.p0 IS NOT DISTINCT FROM values_.p0
  WHERE
    rows.s
) AS c
JOIN groups_5 AS groups
  ON c.j0 IS NOT DISTINCT FROM groups.j0
