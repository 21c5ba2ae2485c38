SELECT
  combinations.h,
  combinations.a2_0,
  COALESCE(ranks0.upto - ranks0.d, -1) AS below0,
  COALESCE(ranks0.upto, -1) AS upto0
FROM combinations AS combinations
LEFT JOIN ranks AS ranks0
  ON combinations.e2_0 = ranks0.x
ORDER BY
  h NULLS FIRST
