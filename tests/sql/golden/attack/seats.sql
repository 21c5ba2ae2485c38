SELECT
  i.row,
  i.r,
  i.g,
  i.x,
  p.person,
  q.u,
  q.copies,
  d.v
FROM population AS i
JOIN people AS p
  ON i.i0 IS NOT DISTINCT FROM p.i0
LEFT JOIN group_numbers AS q
  ON i.r = q.r AND i.g = q.g
LEFT JOIN value_numbers AS d
  ON i.x IS NOT DISTINCT FROM d.x
