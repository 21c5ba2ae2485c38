SELECT
  COUNT(*) AS asked,
  COUNT(*) FILTER(WHERE
    unrestricted_over) AS unrestricted_over,
  COUNT(*) FILTER(WHERE
    unrestricted_undecided) AS unrestricted_undecided,
  COUNT(*) FILTER(WHERE
    unrestricted_unanswered) AS unrestricted_unanswered,
  COUNT(*) FILTER(WHERE
    unrestricted_no_world) AS unrestricted_no_world,
  COUNT(*) FILTER(WHERE
    unrestricted_certain) AS unrestricted_certain,
  MAX(unrestricted_worst) AS unrestricted_worst,
  MAX(unrestricted_worst_at_most) AS unrestricted_worst_at_most,
  COUNT(*) FILTER(WHERE
    keyed_over) AS keyed_over,
  COUNT(*) FILTER(WHERE
    keyed_undecided) AS keyed_undecided,
  COUNT(*) FILTER(WHERE
    keyed_unanswered) AS keyed_unanswered,
  COUNT(*) FILTER(WHERE
    keyed_no_world) AS keyed_no_world,
  COUNT(*) FILTER(WHERE
    keyed_certain) AS keyed_certain,
  MAX(keyed_worst) AS keyed_worst,
  MAX(keyed_worst_at_most) AS keyed_worst_at_most
FROM (
  SELECT
    BOOL_OR(
      CAST(unrestricted_lower > CAST(0.5 AS DOUBLE)
      OR (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      ) AS BOOLEAN)
    ) AS unrestricted_over,
    BOOL_OR(
      CAST((
        (
          unrestricted_lower <= CAST(0.5 AS DOUBLE)
          AND unrestricted_upper > CAST(0.5 AS DOUBLE)
        )
        OR unrestricted_bound IS NULL
        OR (
          unrestricted_value IS NULL AND unrestricted_value IS NULL AND keyed_value IS NULL
        )
      )
      AND NOT (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      ) AS BOOLEAN)
    ) AS unrestricted_undecided,
    BOOL_OR(CAST(unrestricted_bound IS NULL AS BOOLEAN)) AS unrestricted_unanswered,
    BOOL_OR(CAST(unrestricted_value IS NULL AND NOT unrestricted_bound IS NULL AS BOOLEAN)) AS unrestricted_no_world,
    BOOL_OR(
      CAST(unrestricted_lower = 1
      OR (
        unrestricted_value IS NULL AND unrestricted_lower = 1
      ) AS BOOLEAN)
    ) AS unrestricted_certain,
    MAX(
      CASE
        WHEN unrestricted_upper - unrestricted_lower > CAST(1e-06 AS DOUBLE)
        THEN unrestricted_lower
        ELSE unrestricted_value
      END
    ) AS unrestricted_worst,
    MAX(unrestricted_upper) AS unrestricted_worst_at_most,
    BOOL_OR(
      CAST(keyed_lower > CAST(0.5 AS DOUBLE)
      OR (
        keyed_value IS NULL AND unrestricted_lower = 1
      ) AS BOOLEAN)
    ) AS keyed_over,
    BOOL_OR(
      CAST((
        (
          keyed_lower <= CAST(0.5 AS DOUBLE) AND keyed_upper > CAST(0.5 AS DOUBLE)
        )
        OR keyed_bound IS NULL
        OR (
          keyed_value IS NULL AND unrestricted_value IS NULL AND keyed_value IS NULL
        )
      )
      AND NOT (
        keyed_value IS NULL AND unrestricted_lower = 1
      ) AS BOOLEAN)
    ) AS keyed_undecided,
    BOOL_OR(CAST(keyed_bound IS NULL AS BOOLEAN)) AS keyed_unanswered,
    BOOL_OR(CAST(keyed_value IS NULL AND NOT keyed_bound IS NULL AS BOOLEAN)) AS keyed_no_world,
    BOOL_OR(
      CAST(keyed_lower = 1 OR (
        keyed_value IS NULL AND unrestricted_lower = 1
      ) AS BOOLEAN)
    ) AS keyed_certain,
    MAX(
      CASE
        WHEN keyed_upper - keyed_lower > CAST(1e-06 AS DOUBLE)
        THEN keyed_lower
        ELSE keyed_value
      END
    ) AS keyed_worst,
    MAX(keyed_upper) AS keyed_worst_at_most
  FROM wide_2 AS wide
  GROUP BY
    i0
) AS p
