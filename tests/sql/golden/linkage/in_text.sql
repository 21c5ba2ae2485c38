SELECT
  u,
  LISTAGG(CONCAT(v, ':', n), ' '
  ORDER BY
    v) AS counted
FROM value_counts_16 AS counts
GROUP BY
  u
