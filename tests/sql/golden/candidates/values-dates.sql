SELECT
  "day"
FROM (
  SELECT
    TRY_CAST(x AS DATE) AS "day"
  FROM texts_2 AS texts
  WHERE
    NOT TRY_CAST(x AS DATE) IS NULL
  UNION
  SELECT
    TRY_CAST((
      TRY_CAST(x AS DATE) + INTERVAL '1' DAY
    ) AS DATE) AS "day"
  FROM texts_2 AS texts
  WHERE
    NOT TRY_CAST(x AS DATE) IS NULL
) AS given
