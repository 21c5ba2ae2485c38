SELECT
  CAST(COALESCE(SUM(s) FILTER(WHERE
    TRUE), 0) AS BIGINT) AS asked,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      unrestricted_lower > 0.5
      OR (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS unrestricted_over,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      (
        (
          unrestricted_lower <= 0.5 AND unrestricted_upper > 0.5
        )
        OR unrestricted_bound IS NULL
        OR (
          unrestricted_value IS NULL AND unrestricted_value IS NULL AND keyed_value IS NULL
        )
      )
      AND NOT (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS unrestricted_undecided,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    unrestricted_bound IS NULL), 0) AS BIGINT) AS unrestricted_unanswered,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      unrestricted_value IS NULL AND NOT unrestricted_bound IS NULL),
    0
  ) AS BIGINT) AS unrestricted_no_world,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      unrestricted_lower = 1
      OR (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS unrestricted_certain,
  MAX(
    CASE
      WHEN unrestricted_upper - unrestricted_lower > 1e-06
      THEN unrestricted_lower
      ELSE unrestricted_value
    END
  ) FILTER(WHERE
    s > 0) AS unrestricted_worst,
  MAX(unrestricted_upper) FILTER(WHERE
    s > 0) AS unrestricted_worst_at_most,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      keyed_lower > 0.5 OR (
        keyed_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS keyed_over,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      (
        (
          keyed_lower <= 0.5 AND keyed_upper > 0.5
        )
        OR keyed_bound IS NULL
        OR (
          keyed_value IS NULL AND unrestricted_value IS NULL AND keyed_value IS NULL
        )
      )
      AND NOT (
        keyed_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS keyed_undecided,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_bound IS NULL), 0) AS BIGINT) AS keyed_unanswered,
  CAST(COALESCE(SUM(s) FILTER(WHERE
    keyed_value IS NULL AND NOT keyed_bound IS NULL), 0) AS BIGINT) AS keyed_no_world,
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      keyed_lower = 1 OR (
        keyed_value IS NULL AND unrestricted_lower = 1
      )),
    0
  ) AS BIGINT) AS keyed_certain,
  MAX(
    CASE WHEN keyed_upper - keyed_lower > 1e-06 THEN keyed_lower ELSE keyed_value END
  ) FILTER(WHERE
    s > 0) AS keyed_worst,
  MAX(keyed_upper) FILTER(WHERE
    s > 0) AS keyed_worst_at_most
FROM answers_1 AS answers
