SELECT
  *,
  ROW_NUMBER() OVER (ORDER BY size, k0, k1, k2) - 1 AS a
FROM classes AS classes
