SELECT
  source.*
FROM source AS source
ANTI JOIN listed AS withheld
  ON CAST("source"."name" AS TEXT) IS NOT DISTINCT FROM withheld.i0
  AND CAST("source"."born" AS TEXT) IS NOT DISTINCT FROM withheld.i1
