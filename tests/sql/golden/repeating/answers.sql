SELECT
  o.g,
  o.own,
  o.joined,
  o.v,
  o.s,
  o.everybody,
  answers.keyed_value,
  answers.keyed_lower,
  answers.keyed_upper,
  answers.keyed_bound,
  own_answers.bag_value,
  own_answers.bag_lower,
  own_answers.bag_upper,
  own_answers.bag_bound
FROM own_cells_11 AS o
JOIN keys_12 AS keys
  ON o.m IS NOT DISTINCT FROM keys.m
  AND o.n IS NOT DISTINCT FROM keys.n
  AND o.rows IS NOT DISTINCT FROM keys.rows
  AND o.c IS NOT DISTINCT FROM keys.c
  AND o.r IS NOT DISTINCT FROM keys.r
  AND o.own IS NOT DISTINCT FROM keys.own
  AND o.joined IS NOT DISTINCT FROM keys.joined
  AND o.as_often IS NOT DISTINCT FROM keys.as_often
  AND o.ids IS NOT DISTINCT FROM keys.ids
  AND o.vals IS NOT DISTINCT FROM keys.vals
  AND o.mine IS NOT DISTINCT FROM keys.mine
JOIN own_answers_13 AS own_answers
  ON keys.key = own_answers.key
JOIN answers_14 AS answers
  ON o.g = answers.g AND o.v = answers.v
