SELECT
  CAST(COALESCE(SUM(s) FILTER(WHERE
    TRUE), 0) AS BIGINT) AS associations,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_value IS NULL), 0) AS BIGINT) AS unrestricted_no_world,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_lower = 1), 0) AS BIGINT) AS unrestricted_certain,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_lower > 0.5), 0) AS BIGINT) AS unrestricted_over_half,
  MAX(unrestricted_value) FILTER(WHERE
    s > 0) AS unrestricted_worst,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_value IS NULL), 0) AS BIGINT) AS keyed_no_world,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_lower = 1), 0) AS BIGINT) AS keyed_certain,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_lower > 0.5), 0) AS BIGINT) AS keyed_over_half,
  MAX(keyed_value) FILTER(WHERE
    s > 0) AS keyed_worst
FROM answers_1 AS answers
