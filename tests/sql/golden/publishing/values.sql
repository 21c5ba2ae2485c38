SELECT
  placed.grp AS "group",
  codes.x AS "problem"
FROM placed_4 AS placed
JOIN codes_6 AS codes
  ON placed.code = codes.code
ORDER BY
  placed.place NULLS FIRST
