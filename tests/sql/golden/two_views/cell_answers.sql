SELECT
  h.g,
  h.v,
  h.c,
  h.s,
  sides.m AS everybody,
  CASE WHEN groups.rows = sides.m AND TRUE THEN CAST(h.r AS DOUBLE) / sides.m END AS bag_value,
  CASE WHEN groups.rows = sides.m AND TRUE THEN CAST(h.r AS DOUBLE) / sides.m END AS bag_lower,
  CASE WHEN groups.rows = sides.m AND TRUE THEN CAST(h.r AS DOUBLE) / sides.m END AS bag_upper,
  CASE WHEN groups.rows = sides.m AND TRUE THEN 'exact' END AS bag_bound
FROM coded_cells_8 AS h
JOIN groups_5 AS groups
  ON h.g = groups.g
JOIN sides_6 AS sides
  ON h.g = sides.g
