SELECT
  COUNT(*) AS people
FROM (
  SELECT
    i0,
    i1,
    COUNT(*) AS often
  FROM cells AS cells
  GROUP BY
    i0,
    i1
  HAVING
    COUNT(*) > 1
) AS d
