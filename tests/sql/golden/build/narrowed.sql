SELECT
  "name" AS i0,
  "age" AS j0,
  "job" AS x0,
  "problem" AS p0,
  COALESCE((
    problem = 'HIV' OR age > 50
  ), FALSE) AS s
FROM source_1 AS source
WHERE
  CAST(name AS TEXT) <> 7
