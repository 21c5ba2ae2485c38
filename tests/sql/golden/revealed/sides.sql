SELECT
  a.j0,
  n <= m AND most = 1 AS once
FROM (
  SELECT
    d.j0,
    COUNT(*) AS m,
    MAX(tuples) AS most
  FROM (
    SELECT DISTINCT
      j0,
      i0,
      o0,
      o1
    FROM rows_1 AS rows
  ) AS d
  JOIN persons_3 AS persons
    ON d.i0 IS NOT DISTINCT FROM persons.i0
  GROUP BY
    d.j0
) AS a
JOIN (
  SELECT
    j0,
    COUNT(*) AS n
  FROM (
    SELECT DISTINCT
      j0,
      q0
    FROM rows_1 AS rows
  ) AS d
  GROUP BY
    j0
) AS b
  ON a.j0 IS NOT DISTINCT FROM b.j0
