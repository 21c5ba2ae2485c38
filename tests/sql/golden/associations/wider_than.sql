SELECT
  CAST(COALESCE(
    SUM(s) FILTER(WHERE
      unrestricted_upper - unrestricted_lower > CAST(0.1 AS DOUBLE)
      OR keyed_upper - keyed_lower > CAST(0.1 AS DOUBLE)),
    0
  ) AS BIGINT) AS associations
FROM answers_1 AS answers
