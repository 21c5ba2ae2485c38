SELECT
  rows.i0,
  answers.v,
  answers.keyed_value,
  answers.keyed_lower,
  answers.keyed_upper,
  answers.keyed_bound
FROM rows_1 AS rows
JOIN values_2 AS values_
  ON rows.p0 IS NOT DISTINCT FROM values_.p0
JOIN answers_18 AS answers
  ON rows.j0 IS NOT DISTINCT FROM answers.j0 AND values_.v = answers.v
WHERE
  rows.s
