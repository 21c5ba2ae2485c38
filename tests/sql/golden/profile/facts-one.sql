SELECT
  0 AS place,
  CAST(SUM(n) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    cell IS NULL), 0) AS BIGINT) AS nulls,
  COUNT(cell) AS different,
  MAX(n) AS commonest,
  COALESCE(MAX(LENGTH(cell)), 0) AS longest,
  COALESCE(BOOL_OR(CAST(REGEXP_FULL_MATCH(cell, '0[0-9]+') AS BOOLEAN)), FALSE) AS zeros,
  COALESCE(BOOL_AND(CAST(CONTAINS(cell, '@') AS BOOLEAN)), FALSE) AS mail,
  COALESCE(
    BOOL_AND(CAST(REGEXP_FULL_MATCH(cell, '-?[0-9]+(,[0-9]+)?') AS BOOLEAN))
    AND BOOL_OR(CAST(CONTAINS(cell, ',') AS BOOLEAN)),
    FALSE
  ) AS commas,
  COUNT(DISTINCT TRY_CAST(cell AS DATE)) AS dates,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    cell = 'it''s "x"'), 0) AS BIGINT) AS named
FROM (
  SELECT
    value AS cell,
    n
  FROM (
    SELECT
      "it's ""x""" AS value,
      COUNT(*) AS n
    FROM source AS source
    GROUP BY
      "it's ""x"""
  ) AS grouped
) AS listed
