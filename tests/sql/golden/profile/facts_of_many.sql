SELECT
  place,
  CAST(SUM(n) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    cell IS NULL), 0) AS BIGINT) AS nulls,
  COUNT(cell) AS different,
  MAX(n) AS commonest,
  COALESCE(MAX(LENGTH(cell)), 0) AS longest,
  COALESCE(BOOL_OR(CAST(REGEXP_FULL_MATCH(word, '0[0-9]+') AS BOOLEAN)), FALSE) AS zeros,
  COALESCE(BOOL_AND(CAST(CONTAINS(word, '@') AS BOOLEAN)), FALSE) AS mail,
  COALESCE(
    BOOL_AND(CAST(REGEXP_FULL_MATCH(word, '-?[0-9]+(,[0-9]+)?') AS BOOLEAN))
    AND BOOL_OR(CAST(CONTAINS(word, ',') AS BOOLEAN)),
    FALSE
  ) AS commas,
  COUNT(DISTINCT TRY_CAST(word AS DATE)) AS dates,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    cell = name), 0) AS BIGINT) AS named
FROM (
  SELECT
    counted.place AS place,
    cell,
    n,
    name,
    CASE WHEN is_text THEN cell END AS word
  FROM (
    SELECT
      place,
      cell,
      COUNT(*) AS n
    FROM (
      SELECT
        UNNEST(
          [
            CAST("zip" AS TEXT),
            CAST("mail" AS TEXT),
            CAST("pulse" AS TEXT),
            CAST("seen" AS TEXT),
            CAST("age" AS TEXT)
          ]
        ) AS cell,
        UNNEST([0, 1, 2, 3, 4]) AS place
      FROM source AS source
    ) AS listed
    GROUP BY
      place,
      cell
  ) AS counted
  JOIN named AS named
    ON counted.place IS NOT DISTINCT FROM named.place
) AS listed
GROUP BY
  place
