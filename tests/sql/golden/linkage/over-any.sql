SELECT
  adversary,
  MAX(probability) AS worst,
  CASE WHEN NOT BOOL_OR(CAST(untold AS BOOLEAN)) THEN MAX(upper) END AS worst_at_most,
  COUNT(*) FILTER(WHERE
    above) AS over_,
  COUNT(*) FILTER(WHERE
    perhaps AND NOT above) AS undecided,
  COUNT(*) FILTER(WHERE
    no_world) AS no_world,
  COUNT(*) AS people
FROM (
  SELECT
    person,
    adversary,
    MAX(probability) AS probability,
    BOOL_OR(CAST(no_world AS BOOLEAN)) AS no_world,
    MAX(upper) AS upper,
    BOOL_OR(CAST(untold AS BOOLEAN)) AS untold,
    BOOL_OR(CAST(COALESCE(lower > CAST(0.85 AS DOUBLE), FALSE) AS BOOLEAN)) AS above,
    BOOL_OR(CAST(COALESCE((
      upper > CAST(0.85 AS DOUBLE) OR unknown
    ), TRUE) AS BOOLEAN)) AS perhaps
  FROM (
    SELECT
      *
    FROM worst_13 AS worst
    UNION ALL
    SELECT
      *
    FROM worst_14 AS worst
  ) AS worst
  GROUP BY
    person,
    adversary
) AS e
GROUP BY
  adversary
