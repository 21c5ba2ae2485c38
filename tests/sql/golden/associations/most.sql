SELECT
  MAX(s) AS most
FROM answers_1 AS a
