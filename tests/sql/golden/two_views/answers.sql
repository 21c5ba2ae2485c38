SELECT
  a.*,
  h.keyed_value,
  h.keyed_lower,
  h.keyed_upper,
  h.keyed_bound,
  groups.j0
FROM cell_answers_17 AS a
JOIN shape_answers_16 AS h
  ON a.g = h.g AND a.c = h.c
JOIN groups_5 AS groups
  ON a.g = groups.g
