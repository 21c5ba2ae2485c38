SELECT
  people.i0,
  answers.v,
  answers.keyed_value,
  answers.keyed_lower,
  answers.keyed_upper,
  answers.keyed_bound
FROM single_pairs_9 AS people
JOIN answers_18 AS answers
  ON people.g = answers.g AND people.v = answers.v
