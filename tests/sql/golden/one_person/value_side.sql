SELECT
  d,
  CAST(x0 AS TEXT) AS x0,
  CAST(p0 AS TEXT) AS p0,
  COUNT(*) AS r
FROM in_groups_7 AS in_groups
GROUP BY
  d,
  x0,
  p0
