SELECT
  kind_answers.*,
  COALESCE(c.s, 0) AS s,
  e.everybody
FROM kind_answers_18 AS kind_answers
JOIN (
  SELECT
    kind,
    COUNT(*) AS everybody
  FROM people_14 AS people
  GROUP BY
    kind
) AS e
  ON kind_answers.kind = e.kind
LEFT JOIN (
  SELECT
    people.kind,
    secrets.v,
    COUNT(*) AS s
  FROM secrets_17 AS secrets
  JOIN people_14 AS people
    ON secrets.i0 IS NOT DISTINCT FROM people.i0
  GROUP BY
    people.kind,
    secrets.v
) AS c
  ON kind_answers.kind = c.kind AND kind_answers.v = c.v
