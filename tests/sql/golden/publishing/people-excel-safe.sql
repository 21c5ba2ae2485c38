SELECT
  CASE
    WHEN (
      REGEXP_MATCHES(cells.x0, '^[-=+@\t\r\n＝＋－＠]')
      AND NOT REGEXP_MATCHES(cells.x0, '^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$')
    )
    OR STARTS_WITH(cells.x0, '''')
    THEN '''' || cells.x0
    ELSE cells.x0
  END AS "sex",
  CASE
    WHEN (
      REGEXP_MATCHES(cells.x1, '^[-=+@\t\r\n＝＋－＠]')
      AND NOT REGEXP_MATCHES(cells.x1, '^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$')
    )
    OR STARTS_WITH(cells.x1, '''')
    THEN '''' || cells.x1
    ELSE cells.x1
  END AS "'=age",
  placed.grp AS "group"
FROM placed_4 AS placed
JOIN cells_5 AS cells
  ON placed.row = cells.row
ORDER BY
  placed.place NULLS FIRST
