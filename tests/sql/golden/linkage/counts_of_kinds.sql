SELECT
  counts.u,
  counts.v,
  counts.n
FROM value_counts_16 AS counts
JOIN kinds_18 AS kinds
  ON counts.u = kinds.u
ORDER BY
  counts.u NULLS FIRST,
  counts.v NULLS FIRST
