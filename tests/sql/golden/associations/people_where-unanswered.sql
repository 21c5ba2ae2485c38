SELECT
  COUNT(*) AS people
FROM (
  SELECT DISTINCT
    i0
  FROM wide_2 AS wide
  WHERE
    keyed_bound IS NULL
) AS d
