SELECT
  v,
  CASE WHEN f IS NULL THEN -1 ELSE DENSE_RANK() OVER (ORDER BY f) - 1 END AS position,
  z0
FROM (
  SELECT
    v,
    p AS f,
    CASE WHEN (
      p IS NULL
    ) THEN 2 WHEN NOT (
      p IS NULL
    ) THEN 0 ELSE 1 END AS z0
  FROM domain AS domain
) AS d
ORDER BY
  v NULLS FIRST
