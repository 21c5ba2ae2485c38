SELECT
  x,
  size,
  is_number,
  ROW_NUMBER() OVER (ORDER BY CASE WHEN is_number THEN size END, x) - 1 AS code
FROM (
  SELECT
    x,
    size,
    BOOL_AND(CAST(NOT size IS NULL OR x IS NULL AS BOOLEAN)) OVER () AS is_number
  FROM (
    SELECT DISTINCT
      x,
      TRY_CAST(x AS DOUBLE) AS size
    FROM (
      SELECT
        x0 AS x
      FROM cells_2 AS cells
    ) AS b
  ) AS d
) AS s
