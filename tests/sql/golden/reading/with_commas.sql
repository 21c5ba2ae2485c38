SELECT
  place,
  BOOL_AND(CAST(COALESCE(REGEXP_FULL_MATCH(cell, '-?[0-9]+(,[0-9]+)?'), TRUE) AS BOOLEAN))
  AND COUNT(*) FILTER(WHERE
    CONTAINS(cell, ',')) > 0 AS commas
FROM (
  SELECT
    UNNEST(["a", "b"]) AS cell,
    UNNEST([0, 1]) AS place
  FROM source AS source
) AS listed
GROUP BY
  place
ORDER BY
  place NULLS FIRST
