SELECT
  CAST(COALESCE(SUM(s) FILTER(WHERE
    TRUE), 0) AS BIGINT) AS associations,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      unrestricted_value IS NULL AND NOT unrestricted_bound IS NULL),
    0
  ) AS BIGINT) AS unrestricted_no_world,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_bound IS NULL), 0) AS BIGINT) AS unrestricted_unanswered,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_lower = 1), 0) AS BIGINT) AS unrestricted_certain,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_lower > CAST(0.5 AS DOUBLE)), 0) AS BIGINT) AS unrestricted_over_half,
  MAX(
    CASE
      WHEN unrestricted_upper - unrestricted_lower > CAST(1e-06 AS DOUBLE)
      THEN unrestricted_lower
      ELSE unrestricted_value
    END
  ) FILTER(WHERE
    s > 0) AS unrestricted_worst,
  MAX(unrestricted_upper) FILTER(WHERE
    s > 0) AS unrestricted_worst_at_most,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_value IS NULL AND NOT keyed_bound IS NULL), 0) AS BIGINT) AS keyed_no_world,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_bound IS NULL), 0) AS BIGINT) AS keyed_unanswered,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_lower = 1), 0) AS BIGINT) AS keyed_certain,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_lower > CAST(0.5 AS DOUBLE)), 0) AS BIGINT) AS keyed_over_half,
  MAX(
    CASE
      WHEN keyed_upper - keyed_lower > CAST(1e-06 AS DOUBLE)
      THEN keyed_lower
      ELSE keyed_value
    END
  ) FILTER(WHERE
    s > 0) AS keyed_worst,
  MAX(keyed_upper) FILTER(WHERE
    s > 0) AS keyed_worst_at_most
FROM answers_1 AS answers
