SELECT
  people.person,
  m.adversary,
  m.probability,
  m.lower,
  m.upper,
  m.unknown,
  m.untold,
  m.no_world
FROM published_people_3 AS people
JOIN groups_5 AS groups
  ON people.g IS NOT DISTINCT FROM groups.g
JOIN signatures_7 AS signatures
  ON people.q0 IS NOT DISTINCT FROM signatures.q0
JOIN shapes_8 AS shapes
  ON groups.u = shapes.u
JOIN (
  SELECT
    shape,
    s,
    adversary,
    MAX(COALESCE(probability, lower)) AS probability,
    MAX(lower) AS lower,
    MAX(upper) AS upper,
    BOOL_OR(CAST(upper IS NULL AS BOOLEAN)) AS unknown,
    BOOL_OR(CAST(upper IS NULL AND reason <> 'no world' AS BOOLEAN)) AS untold,
    BOOL_AND(CAST(NOT reason IS NULL AND reason = 'no world' AS BOOLEAN)) AS no_world
  FROM cells_9 AS cells
  GROUP BY
    shape,
    s,
    adversary
) AS m
  ON shapes.shape = m.shape AND signatures.s = m.s
