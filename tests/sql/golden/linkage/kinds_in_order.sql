SELECT
  u,
  often
FROM kinds_18 AS kinds
ORDER BY
  u NULLS FIRST
