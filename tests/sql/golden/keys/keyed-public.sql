SELECT
  base.p,
  base.c0 AS k0,
  COALESCE((
    base.c1 > 1
  ), FALSE) AS k1,
  CASE WHEN COALESCE((
    base.c1 > 1
  ), FALSE) THEN base.c1 END AS k2
FROM (
  SELECT
    "age" AS c0,
    "zip" AS c1,
    "pay" AS p
  FROM source AS source
) AS base
