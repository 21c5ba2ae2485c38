SELECT
  CAST(SUM(s) AS BIGINT) AS total
FROM answers_1 AS a
