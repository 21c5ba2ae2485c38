SELECT
  cells.v,
  cells.c,
  cells.r,
  cells.s,
  groups.g,
  groups.j0
FROM cells_3 AS cells
JOIN groups_5 AS groups
  ON cells.j0 IS NOT DISTINCT FROM groups.j0
