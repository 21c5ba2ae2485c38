SELECT
  *
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY d ORDER BY own DESC, i0, y0) AS place
  FROM id_side_8 AS side
) AS q
WHERE
  place <= 1
ORDER BY
  d NULLS FIRST,
  place NULLS FIRST
