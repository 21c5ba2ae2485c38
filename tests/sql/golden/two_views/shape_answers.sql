SELECT
  h.*,
  quads.value AS unrestricted_value,
  quads.lower AS unrestricted_lower,
  quads.upper AS unrestricted_upper,
  CASE WHEN quads.exact THEN 'exact' ELSE 'proved' END AS unrestricted_bound,
  CASE
    WHEN h.least < h.most
    THEN restricted.value
    WHEN h.m > 1 OR h.k = 1
    THEN CAST(1 AS DOUBLE) / h.k
  END AS restricted_value,
  CASE
    WHEN h.least < h.most
    THEN restricted.lower
    WHEN h.m > 1 OR h.k = 1
    THEN CAST(1 AS DOUBLE) / h.k
  END AS restricted_lower,
  CASE
    WHEN h.least < h.most
    THEN restricted.upper
    WHEN h.m > 1 OR h.k = 1
    THEN CAST(1 AS DOUBLE) / h.k
  END AS restricted_upper,
  COALESCE(restricted.bound, 'exact') AS restricted_bound,
  CASE WHEN h.n <= h.m THEN CAST(h.c AS DOUBLE) / h.n END AS keyed_value,
  CASE WHEN h.n <= h.m THEN CAST(h.c AS DOUBLE) / h.n END AS keyed_lower,
  CASE WHEN h.n <= h.m THEN CAST(h.c AS DOUBLE) / h.n END AS keyed_upper,
  'exact' AS keyed_bound
FROM shapes_7 AS h
JOIN quads_12 AS quads
  ON h.m = quads.m AND h.n = quads.n AND h.c = quads.c
LEFT JOIN restricted_15 AS restricted
  ON h.g = restricted.g AND h.c = restricted.c
