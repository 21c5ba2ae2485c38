SELECT
  base.p,
  sets0.t AS k0,
  CASE WHEN sets0.t <> 0 THEN base.c0 END AS k1
FROM (
  SELECT
    "age" AS c0,
    "pay" AS p
  FROM source AS source
) AS base
CROSS JOIN known_sets AS sets0
