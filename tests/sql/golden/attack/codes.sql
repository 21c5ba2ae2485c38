SELECT
  q.u,
  d.v
FROM published AS i
JOIN group_numbers AS q
  ON i.r = q.r AND i.g = q.g
JOIN value_numbers AS d
  ON i.x IS NOT DISTINCT FROM d.x
ORDER BY
  q.u NULLS FIRST,
  d.v NULLS FIRST
