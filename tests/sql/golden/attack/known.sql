SELECT
  "row of the file" AS row,
  CAST("who" AS TEXT) AS i0,
  CAST("born" AS TEXT) AS i1,
  CAST("problem" AS TEXT) AS x
FROM file AS source
