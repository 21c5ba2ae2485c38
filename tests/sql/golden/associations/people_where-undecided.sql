SELECT
  COUNT(*) AS people
FROM (
  SELECT DISTINCT
    i0
  FROM wide_2 AS wide
  WHERE
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
    )
) AS d
