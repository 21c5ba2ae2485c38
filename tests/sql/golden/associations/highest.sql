SELECT
  unrestricted_value AS value,
  CAST(SUM(s) AS BIGINT) AS associations
FROM answers_1 AS answers
WHERE
  s > 0 AND NOT unrestricted_value IS NULL
GROUP BY
  unrestricted_value
ORDER BY
  value DESC
LIMIT 2
