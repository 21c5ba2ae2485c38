SELECT
  h.c,
  h.vals,
  h.s,
  groups.g,
  groups.k,
  groups.n,
  groups.rows,
  groups.least,
  groups.most,
  sides.m,
  sides.m * h.vals AS everybody
FROM (
  SELECT
    g,
    c,
    COUNT(*) AS vals,
    CAST(SUM(s) AS BIGINT) AS s
  FROM coded_cells_8 AS cells
  GROUP BY
    g,
    c
) AS h
JOIN groups_5 AS groups
  ON h.g = groups.g
JOIN sides_6 AS sides
  ON groups.g = sides.g
