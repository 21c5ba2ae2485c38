SELECT
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      unrestricted_lower > 0.5
      OR (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS unrestricted_over,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_lower <= 0.5 AND unrestricted_upper > 0.5), 0) AS BIGINT) AS unrestricted_undecided,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_value IS NULL), 0) AS BIGINT) AS unrestricted_no_world,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_value IS NULL AND unrestricted_lower = 1), 0) AS BIGINT) AS unrestricted_pinned,
  MAX(unrestricted_value) FILTER(WHERE
    s > 0) AS unrestricted_worst,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      keyed_lower > 0.5 OR (
        keyed_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS keyed_over,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_lower <= 0.5 AND keyed_upper > 0.5), 0) AS BIGINT) AS keyed_undecided,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_value IS NULL), 0) AS BIGINT) AS keyed_no_world,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_value IS NULL AND unrestricted_lower = 1), 0) AS BIGINT) AS keyed_pinned,
  MAX(keyed_value) FILTER(WHERE
    s > 0) AS keyed_worst
FROM answers_1 AS answers
