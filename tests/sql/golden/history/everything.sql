SELECT
  *
FROM levels AS source
