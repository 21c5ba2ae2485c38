SELECT
  "source"."zip",
  levels0.t1 AS "town",
  levels0.t2 AS "region"
FROM source_1 AS source
LEFT JOIN levels_1 AS levels0
  ON CAST("source"."zip" AS TEXT) = levels0.t0
