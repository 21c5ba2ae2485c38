SELECT
  classes.a,
  keyed.k0,
  keyed.k1,
  keyed.k2,
  crowds.size,
  crowds.possible,
  crowds.exposed,
  TRUE AS s0,
  CAST(keyed.k0 AS TEXT) AS x0_0,
  keyed.k1 AS s1,
  CAST(keyed.k2 AS TEXT) AS x1_0,
  CAST(CASE WHEN keyed.k1 THEN keyed.k0 END AS TEXT) AS x1_1
FROM (
  SELECT
    *
  FROM keyed AS keyed
  WHERE
    keyed.i0 = 'dan'
) AS keyed
JOIN classes AS classes
  ON keyed.k0 IS NOT DISTINCT FROM classes.k0
  AND keyed.k1 IS NOT DISTINCT FROM classes.k1
  AND keyed.k2 IS NOT DISTINCT FROM classes.k2
JOIN crowds AS crowds
  ON classes.a = crowds.a
ORDER BY
  classes.a NULLS FIRST
LIMIT 3
