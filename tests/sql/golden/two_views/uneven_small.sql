SELECT
  g,
  m,
  LISTAGG(CONCAT(c, ':', vals), ' '
  ORDER BY
    c) AS shape
FROM (
  SELECT
    g,
    m,
    n,
    k,
    c,
    vals
  FROM shapes_7 AS shapes
  WHERE
    least < most AND m > 1 AND CAST(m AS DOUBLE) * n <= 400
) AS u
GROUP BY
  g,
  m
