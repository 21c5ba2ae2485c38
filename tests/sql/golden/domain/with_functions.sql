SELECT
  d.p,
  d.v,
  "known"."tens" AS f0,
  "known"."pay" AS f1
FROM (
  SELECT
    p,
    ROW_NUMBER() OVER (ORDER BY p) - 1 AS v
  FROM (
    SELECT DISTINCT
      "pay" AS p
    FROM source AS source
  ) AS d
) AS d
JOIN known_1 AS known
  ON d.p IS NOT DISTINCT FROM "known"."pay"
