SELECT
  a.i0,
  a.v,
  persons.g,
  persons.own,
  persons.joined
FROM single_pairs_7 AS a
JOIN persons_4 AS persons
  ON a.i0 IS NOT DISTINCT FROM persons.i0
