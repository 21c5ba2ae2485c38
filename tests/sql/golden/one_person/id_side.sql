SELECT
  t.d,
  CAST(t.i0 AS TEXT) AS i0,
  CAST(t.y0 AS TEXT) AS y0,
  t.w,
  COALESCE(o.own, FALSE) AS own
FROM (
  SELECT
    d,
    i0,
    y0,
    COUNT(*) AS w
  FROM in_groups_7 AS in_groups
  GROUP BY
    d,
    i0,
    y0
) AS t
LEFT JOIN (
  SELECT DISTINCT
    i0,
    TRUE AS own
  FROM own_rows_2 AS own_rows
) AS o
  ON t.i0 IS NOT DISTINCT FROM o.i0
