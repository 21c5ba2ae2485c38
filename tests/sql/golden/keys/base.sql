SELECT
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
