SELECT DISTINCT
  who,
  "select",
  "a ""b""",
  Total
FROM source
