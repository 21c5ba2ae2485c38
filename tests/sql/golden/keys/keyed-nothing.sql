SELECT
  base.p,
  0 AS k0
FROM (
  SELECT
    "pay" AS p
  FROM source AS source
) AS base
