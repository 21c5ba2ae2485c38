SELECT
  g,
  CAST(SUM(people) AS BIGINT) AS m
FROM owns_5 AS owns
GROUP BY
  g
