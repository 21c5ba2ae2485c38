SELECT DISTINCT
  d
FROM (
  SELECT DISTINCT
    i0,
    d
  FROM in_groups_7 AS in_groups
) AS h
JOIN (
  SELECT
    i0
  FROM (
    SELECT DISTINCT
      i0,
      j0,
      y0
    FROM rows_1 AS rows
  ) AS t
  GROUP BY
    i0
  HAVING
    COUNT(*) > 1
) AS m
  ON h.i0 IS NOT DISTINCT FROM m.i0
