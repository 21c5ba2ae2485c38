SELECT
  a.i0,
  tuples,
  vals
FROM (
  SELECT
    i0,
    COUNT(*) AS tuples
  FROM (
    SELECT DISTINCT
      i0,
      o0,
      o1
    FROM rows_1 AS rows
  ) AS d
  GROUP BY
    i0
) AS a
JOIN (
  SELECT
    i0,
    COUNT(*) AS vals
  FROM (
    SELECT DISTINCT
      i0,
      p0
    FROM rows_1 AS rows
  ) AS d
  GROUP BY
    i0
) AS b
  ON a.i0 IS NOT DISTINCT FROM b.i0
