SELECT
  secrets.i0,
  secrets.v,
  restricted_value,
  restricted_lower,
  restricted_upper,
  restricted_bound
FROM secrets_17 AS secrets
JOIN people_14 AS people
  ON secrets.i0 IS NOT DISTINCT FROM people.i0
JOIN kind_answers_18 AS kind_answers
  ON people.kind = kind_answers.kind AND secrets.v = kind_answers.v
