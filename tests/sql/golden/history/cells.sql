SELECT
  "line" AS row,
  CAST("name" AS TEXT) AS i0,
  CAST("age" AS TEXT) AS q0,
  CAST("town" AS TEXT) AS q1,
  CAST("problem" AS TEXT) AS x
FROM file AS source
