SELECT
  keyed.b0 AS "zip",
  crowds.crowd,
  crowds.size,
  crowds.possible AS values,
  crowds.exposed
FROM keyed AS keyed
JOIN classes AS classes
  ON keyed.k0 IS NOT DISTINCT FROM classes.k0
  AND keyed.k1 IS NOT DISTINCT FROM classes.k1
  AND keyed.k2 IS NOT DISTINCT FROM classes.k2
JOIN crowds AS crowds
  ON classes.a = crowds.a
ORDER BY
  crowds.crowd NULLS FIRST,
  keyed.b0
