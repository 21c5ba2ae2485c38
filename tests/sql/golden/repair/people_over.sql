SELECT DISTINCT
  i0
FROM wide AS wide
WHERE
  (
    unrestricted_lower > 0.5
    OR (
      unrestricted_value IS NULL AND unrestricted_lower = 1
    )
  )
  OR (
    (
      (
        unrestricted_lower <= 0.5 AND unrestricted_upper > 0.5
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
