SELECT
  keyed.b0 AS "zip",
  crowds.crowd,
  crowds.size,
  crowds.possible AS values,
  crowds.exposed,
  collections.collection
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY a, v) AS turn
  FROM (
    SELECT
      keyed.*,
      classes.a,
      domain.v
    FROM keyed AS keyed
    JOIN classes AS classes
      ON keyed.k0 IS NOT DISTINCT FROM classes.k0
      AND keyed.k1 IS NOT DISTINCT FROM classes.k1
      AND keyed.k2 IS NOT DISTINCT FROM classes.k2
    JOIN domain AS domain
      ON keyed.p IS NOT DISTINCT FROM domain.p
  ) AS i
) AS keyed
JOIN crowds AS crowds
  ON keyed.a = crowds.a
  AND keyed.v = crowds.v
  AND keyed.turn > crowds.after
  AND keyed.turn <= crowds.upto
JOIN collections AS collections
  ON crowds.crowd = collections.crowd
