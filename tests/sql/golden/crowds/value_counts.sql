SELECT
  a,
  COUNT(*) AS found
FROM types AS types
GROUP BY
  a
ORDER BY
  a NULLS FIRST
