SELECT
  base.i0,
  base.b0,
  base.p,
  base.c0 AS k0,
  COALESCE((
    base.c1 > 1
  ), FALSE) AS k1,
  CASE WHEN COALESCE((
    base.c1 > 1
  ), FALSE) THEN base.c1 END AS k2,
  sets2.t AS k3,
  CASE WHEN sets2.t <> 0 THEN base.c1 END AS k4,
  sets3.t AS k5
FROM (
  SELECT
    CAST("name" AS TEXT) AS i0,
    "zip" AS b0,
    "age" AS c0,
    "zip" AS c1,
    "charge" AS c2,
    "pay" AS p,
    CASE WHEN (
      "zip" < 9
    ) THEN 2 WHEN NOT (
      "zip" < 9
    ) THEN 0 ELSE 1 END AS a2_0,
    (
      CAST("charge" AS BIGINT)
    ) AS e2_0
  FROM source AS source
) AS base
JOIN rich_sets AS sets2
  ON base.a2_0 IS NOT DISTINCT FROM sets2.a2_0
  AND base.e2_0 IS NOT DISTINCT FROM sets2.e2_0
JOIN lucky_sets AS sets3
  ON base.c2 IS NOT DISTINCT FROM sets3.c2
