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
    cell = 'zip'), 0) AS BIGINT) AS named
FROM (
  SELECT
    value AS cell,
    n
  FROM (
    SELECT
      "zip" AS value,
      COUNT(*) AS n
    FROM source AS source
    GROUP BY
      "zip"
  ) AS grouped
) AS listed
UNION ALL
SELECT
  1 AS place,
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
    cell = 'mail'), 0) AS BIGINT) AS named
FROM (
  SELECT
    value AS cell,
    n
  FROM (
    SELECT
      "mail" AS value,
      COUNT(*) AS n
    FROM source AS source
    GROUP BY
      "mail"
  ) AS grouped
) AS listed
UNION ALL
SELECT
  2 AS place,
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
    cell = 'pulse'), 0) AS BIGINT) AS named
FROM (
  SELECT
    value AS cell,
    n
  FROM (
    SELECT
      "pulse" AS value,
      COUNT(*) AS n
    FROM source AS source
    GROUP BY
      "pulse"
  ) AS grouped
) AS listed
UNION ALL
SELECT
  3 AS place,
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
    cell = 'seen'), 0) AS BIGINT) AS named
FROM (
  SELECT
    value AS cell,
    n
  FROM (
    SELECT
      "seen" AS value,
      COUNT(*) AS n
    FROM source AS source
    GROUP BY
      "seen"
  ) AS grouped
) AS listed
UNION ALL
SELECT
  4 AS place,
  CAST(SUM(n) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    cell IS NULL), 0) AS BIGINT) AS nulls,
  COUNT(cell) AS different,
  MAX(n) AS commonest,
  COALESCE(MAX(LENGTH(cell)), 0) AS longest,
  FALSE AS zeros,
  FALSE AS mail,
  FALSE AS commas,
  0 AS dates,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    cell = 'age'), 0) AS BIGINT) AS named
FROM (
  SELECT
    CAST(value AS TEXT) AS cell,
    n
  FROM (
    SELECT
      "age" AS value,
      COUNT(*) AS n
    FROM source AS source
    GROUP BY
      "age"
  ) AS grouped
) AS listed
