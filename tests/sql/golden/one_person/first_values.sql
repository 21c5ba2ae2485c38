SELECT
  *
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY d ORDER BY p0, x0) AS place
  FROM value_side_9 AS side
) AS q
WHERE
  place <= 2
ORDER BY
  d NULLS FIRST,
  place NULLS FIRST
