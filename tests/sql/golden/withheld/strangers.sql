SELECT
  COUNT(*) AS strangers
FROM listed AS withheld
ANTI JOIN (
  SELECT DISTINCT
    CAST("name" AS TEXT) AS i0,
    CAST("born" AS TEXT) AS i1
  FROM source AS source
) AS people
  ON withheld.i0 IS NOT DISTINCT FROM people.i0
  AND withheld.i1 IS NOT DISTINCT FROM people.i1
