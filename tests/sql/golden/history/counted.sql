SELECT
  t0,
  t1,
  COUNT(*) AS n
FROM (
  SELECT
    CAST("group" AS TEXT) AS t0,
    CAST("problem" AS TEXT) AS t1
  FROM file AS source
) AS r
GROUP BY
  t0,
  t1
