SELECT
  h.g,
  h.v,
  h.c,
  h.s,
  sides.m AS everybody,
  CAST(h.r AS DOUBLE) / sides.m AS bag_value,
  CAST(h.r AS DOUBLE) / sides.m AS bag_lower,
  CAST(h.r AS DOUBLE) / sides.m AS bag_upper,
  'exact' AS bag_bound
FROM coded_cells_8 AS h
JOIN groups_5 AS groups
  ON h.g = groups.g
JOIN sides_6 AS sides
  ON h.g = sides.g
