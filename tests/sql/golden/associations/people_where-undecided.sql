SELECT
  COUNT(*) AS people
FROM (
  SELECT DISTINCT
    i0
  FROM wide_2 AS wide
  WHERE
    unrestricted_lower <= 0.5 AND unrestricted_upper > 0.5
) AS d
