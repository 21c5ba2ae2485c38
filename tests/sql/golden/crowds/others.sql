SELECT
  keyed.i0
FROM keyed AS keyed
JOIN classes AS classes
  ON keyed.k0 IS NOT DISTINCT FROM classes.k0
  AND keyed.k1 IS NOT DISTINCT FROM classes.k1
  AND keyed.k2 IS NOT DISTINCT FROM classes.k2
WHERE
  classes.a = 2 AND NOT (
    keyed.i0 = 'dan'
  )
ORDER BY
  keyed.i0 NULLS FIRST
LIMIT 5
