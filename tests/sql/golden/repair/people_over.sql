SELECT DISTINCT
  i0
FROM wide AS wide
WHERE
  (
    unrestricted_lower > CAST(0.5 AS DOUBLE)
    OR (
      unrestricted_value IS NULL AND unrestricted_lower = 1
    )
  )
  OR (
    (
      (
        unrestricted_lower <= CAST(0.5 AS DOUBLE)
        AND unrestricted_upper > CAST(0.5 AS DOUBLE)
      )
      OR unrestricted_bound IS NULL
      OR (
        unrestricted_value IS NULL AND unrestricted_value IS NULL
      )
    )
    AND NOT (
      unrestricted_value IS NULL AND unrestricted_lower = 1
    )
  )
