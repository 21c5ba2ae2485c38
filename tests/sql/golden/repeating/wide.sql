SELECT
  people.i0,
  answers.v,
  answers.bag_value,
  answers.bag_lower,
  answers.bag_upper,
  answers.bag_bound
FROM own_pairs_8 AS people
JOIN answers_14 AS answers
  ON people.g = answers.g
  AND people.own = answers.own
  AND people.joined = answers.joined
  AND people.v = answers.v
