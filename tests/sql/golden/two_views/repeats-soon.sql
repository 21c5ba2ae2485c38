SELECT
  COUNT(*) > COUNT(i0) + 1 OR COUNT(i0) > COUNT(DISTINCT i0) AS found
FROM (
  SELECT
    *
  FROM rows_1 AS rows
  LIMIT 2
) AS a
