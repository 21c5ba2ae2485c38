SELECT
  COUNT(*) AS people
FROM cells AS cells
WHERE
  COALESCE(i0, '') = '' AND COALESCE(i1, '') = ''
