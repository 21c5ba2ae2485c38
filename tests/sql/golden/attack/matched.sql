SELECT
  k.row AS row,
  k.i0,
  p.person AS person,
  d.v AS v
FROM known AS k
LEFT JOIN people AS p
  ON k.i0 IS NOT DISTINCT FROM p.i0
LEFT JOIN value_numbers AS d
  ON k.x IS NOT DISTINCT FROM d.x
ORDER BY
  k.row NULLS FIRST,
  p.person NULLS FIRST
