SELECT
  place,
  COUNT(cell) AS cells,
  COUNT(TRY_CAST("cell" AS DOUBLE)) AS number,
  COUNT(TRY_CAST("cell" AS DATE)) AS date,
  COUNT(TRY_CAST("cell" AS TIMESTAMP)) AS timestamp,
  COUNT(TRY_CAST("cell" AS BOOLEAN)) AS boolean
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
