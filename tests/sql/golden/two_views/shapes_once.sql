SELECT
  h.c,
  h.vals,
  h.s,
  groups.g,
  groups.k,
  groups.n,
  groups.rows,
  groups.least,
  groups.most,
  sides.m,
  sides.m * h.vals AS everybody
FROM histogram_4 AS h
JOIN groups_5 AS groups
  ON h.j0 IS NOT DISTINCT FROM groups.j0
JOIN sides_6 AS sides
  ON groups.g = sides.g
