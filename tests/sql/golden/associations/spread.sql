SELECT
  CAST(LEAST(FLOOR(unrestricted_value * 4), 3) AS BIGINT) AS band,
  CAST(SUM(s) AS BIGINT) AS associations
FROM answers_1 AS answers
WHERE
  s > 0 AND NOT unrestricted_value IS NULL
GROUP BY
  CAST(LEAST(FLOOR(unrestricted_value * 4), 3) AS BIGINT)
ORDER BY
  band NULLS FIRST
