SELECT
  people.i0,
  kind_answers.v,
  restricted_value,
  restricted_lower,
  restricted_upper,
  restricted_bound
FROM people_14 AS people
JOIN kind_answers_18 AS kind_answers
  ON people.kind = kind_answers.kind
