SELECT
  "pay"
FROM (
  SELECT
    1 AS "pay"
  UNION
  SELECT
    NULL AS "pay"
  UNION
  SELECT
    1 AS "pay"
) AS given
