SELECT
  m,
  n,
  k,
  MAX(value) AS value,
  COUNT(*) AS groups
FROM (
  SELECT
    g,
    m,
    n,
    k,
    MAX(keyed_value) AS value
  FROM shapes_5 AS shapes
  WHERE
    s > 0 AND NOT keyed_value IS NULL
  GROUP BY
    g,
    m,
    n,
    k
) AS q
GROUP BY
  m,
  n,
  k,
  ROUND(value, 9)
ORDER BY
  value DESC,
  m NULLS FIRST,
  n NULLS FIRST,
  k NULLS FIRST
LIMIT 2
