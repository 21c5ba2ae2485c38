SELECT
  CAST(wide.i0 AS TEXT) AS "the name",
  values_.p0 AS "problem",
  adversaries.adversary,
  CASE
    WHEN adversaries.place = 0
    THEN wide.unrestricted_value
    WHEN adversaries.place = 1
    THEN wide.keyed_value
  END AS probability,
  CASE
    WHEN adversaries.place = 0
    THEN wide.unrestricted_lower
    WHEN adversaries.place = 1
    THEN wide.keyed_lower
  END AS lower,
  CASE
    WHEN adversaries.place = 0
    THEN wide.unrestricted_upper
    WHEN adversaries.place = 1
    THEN wide.keyed_upper
  END AS upper,
  CASE
    WHEN adversaries.place = 0
    THEN wide.unrestricted_bound
    WHEN adversaries.place = 1
    THEN wide.keyed_bound
  END AS bound
FROM wide_2 AS wide
JOIN values_3 AS values_
  ON wide.v = values_.v
CROSS JOIN adversaries_4 AS adversaries
ORDER BY
  "the name",
  "problem",
  adversaries.place NULLS FIRST
