SELECT
  m,
  n,
  k,
  value
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
ORDER BY
  value DESC,
  m NULLS FIRST,
  n NULLS FIRST,
  k NULLS FIRST
LIMIT 2
