SELECT
  person,
  g AS "bucket",
  x AS "problem",
  adversary,
  given,
  probability,
  lower,
  upper,
  bound,
  reason
FROM (
  SELECT
    people.person,
    people.g,
    named.x,
    cells.adversary,
    'sex' AS given,
    cells.probability,
    cells.lower,
    cells.upper,
    cells.bound,
    cells.reason
  FROM published_people_3 AS people
  JOIN groups_5 AS groups
    ON people.g IS NOT DISTINCT FROM groups.g
  JOIN signatures_7 AS signatures
    ON people.q0 IS NOT DISTINCT FROM signatures.q0
  JOIN shapes_8 AS shapes
    ON groups.u = shapes.u
  JOIN cells_9 AS cells
    ON shapes.shape = cells.shape AND signatures.s = cells.s
  JOIN named_6 AS named
    ON cells.v = named.v
) AS w
ORDER BY
  person NULLS FIRST,
  given NULLS FIRST,
  adversary NULLS FIRST,
  x NULLS FIRST
