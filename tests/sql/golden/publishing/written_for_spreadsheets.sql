SELECT
  BOOL_OR(
    CAST(COALESCE(STARTS_WITH("sex", ''''), FALSE)
    OR COALESCE(STARTS_WITH("age", ''''), FALSE) AS BOOLEAN)
  )
  AND NOT BOOL_OR(
    CAST(COALESCE(
      REGEXP_MATCHES("sex", '^[-=+@\t\r\n＝＋－＠]')
      AND NOT REGEXP_MATCHES("sex", '^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$'),
      FALSE
    )
    OR COALESCE(
      REGEXP_MATCHES("age", '^[-=+@\t\r\n＝＋－＠]')
      AND NOT REGEXP_MATCHES("age", '^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$'),
      FALSE
    ) AS BOOLEAN)
  ) AS told
FROM table_file_1 AS file
