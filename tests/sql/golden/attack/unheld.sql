SELECT
  COUNT(*) AS n,
  MIN(w.row) AS row
FROM (
  SELECT
    r,
    g,
    x,
    COUNT(*) AS members,
    MIN(row) AS row
  FROM seats AS seats
  WHERE
    NOT u IS NULL
  GROUP BY
    r,
    g,
    x
) AS w
LEFT JOIN (
  SELECT
    r,
    g,
    x,
    COUNT(*) AS copies
  FROM published AS published
  GROUP BY
    r,
    g,
    x
) AS h
  ON w.r = h.r AND w.g = h.g AND w.x IS NOT DISTINCT FROM h.x
WHERE
  w.members > COALESCE(h.copies, 0)
