SELECT
  COUNT(*) AS cells
FROM (
  SELECT DISTINCT
    q1 AS t0
  FROM cells AS cells
) AS f
LEFT JOIN (
  SELECT DISTINCT
    t0,
    TRUE AS there
  FROM levels AS levels
) AS l
  ON f.t0 IS NOT DISTINCT FROM l.t0
WHERE
  l.there IS NULL
