SELECT
  COUNT(*) AS people
FROM (
  SELECT DISTINCT
    i0
  FROM wide_2 AS wide
  WHERE
    keyed_lower = 1 OR (
      keyed_value IS NULL AND unrestricted_lower = 1
    )
) AS d
