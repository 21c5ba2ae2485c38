SELECT
  r,
  g,
  copies,
  ROW_NUMBER() OVER (ORDER BY r, g) - 1 AS u
FROM (
  SELECT
    r,
    g,
    COUNT(*) AS copies
  FROM published AS published
  WHERE
    NOT g IS NULL
  GROUP BY
    r,
    g
) AS f
