SELECT
  i0,
  v,
  1 AS s,
  CASE WHEN TRUE THEN CAST(1 AS DOUBLE) END AS unrestricted_value,
  CASE WHEN TRUE THEN CAST(1 AS DOUBLE) END AS unrestricted_lower,
  CASE WHEN TRUE THEN CAST(1 AS DOUBLE) END AS unrestricted_upper,
  'exact' AS unrestricted_bound,
  CASE WHEN vals = 1 THEN CAST(1 AS DOUBLE) END AS restricted_value,
  CASE WHEN vals = 1 THEN CAST(1 AS DOUBLE) END AS restricted_lower,
  CASE WHEN vals = 1 THEN CAST(1 AS DOUBLE) END AS restricted_upper,
  'exact' AS restricted_bound,
  CASE WHEN tuples = 1 AND once THEN CAST(1 AS DOUBLE) END AS keyed_value,
  CASE WHEN tuples = 1 AND once THEN CAST(1 AS DOUBLE) END AS keyed_lower,
  CASE WHEN tuples = 1 AND once THEN CAST(1 AS DOUBLE) END AS keyed_upper,
  'exact' AS keyed_bound,
  CASE WHEN TRUE THEN CAST(1 AS DOUBLE) END AS bag_value,
  CASE WHEN TRUE THEN CAST(1 AS DOUBLE) END AS bag_lower,
  CASE WHEN TRUE THEN CAST(1 AS DOUBLE) END AS bag_upper,
  'exact' AS bag_bound
FROM (
  SELECT
    d.i0,
    v,
    MAX(tuples) AS tuples,
    MAX(vals) AS vals,
    BOOL_AND(CAST(once AS BOOLEAN)) AS once
  FROM (
    SELECT DISTINCT
      rows.i0,
      v,
      rows.j0
    FROM rows_1 AS rows
    JOIN values_2 AS values_
      ON rows.p0 IS NOT DISTINCT FROM values_.p0
    WHERE
      rows.s
  ) AS d
  JOIN persons_3 AS persons
    ON d.i0 IS NOT DISTINCT FROM persons.i0
  JOIN sides_4 AS sides
    ON d.j0 IS NOT DISTINCT FROM sides.j0
  GROUP BY
    d.i0,
    v
) AS e
