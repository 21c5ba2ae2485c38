SELECT
  uneven_small.g,
  c,
  value,
  value AS lower,
  value AS upper,
  'exact' AS bound
FROM uneven_small_13 AS uneven_small
JOIN exact_shapes_14 AS exact_shapes
  USING (m, shape)
