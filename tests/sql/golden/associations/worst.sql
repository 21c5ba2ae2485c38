SELECT
  MAX(
    CASE WHEN keyed_upper - keyed_lower > 1e-06 THEN keyed_lower ELSE keyed_value END
  ) AS worst,
  MAX(keyed_upper) AS worst_at_most
FROM wide_2 AS wide
