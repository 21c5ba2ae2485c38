SELECT
  BOOL_OR(CAST(name > 'd' AND CAST(zip AS TEXT) = '9' AS BOOLEAN)) AS met
FROM source AS source
