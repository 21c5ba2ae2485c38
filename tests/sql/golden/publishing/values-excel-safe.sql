SELECT
  placed.grp AS "group",
  CASE
    WHEN (
      REGEXP_MATCHES(codes.x, '^[-=+@\t\r\n＝＋－＠]')
      AND NOT REGEXP_MATCHES(codes.x, '^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$')
    )
    OR STARTS_WITH(codes.x, '''')
    THEN '''' || codes.x
    ELSE codes.x
  END AS "problem"
FROM placed_4 AS placed
JOIN codes_6 AS codes
  ON placed.code = codes.code
ORDER BY
  placed.place NULLS FIRST
