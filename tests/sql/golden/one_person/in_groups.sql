SELECT
  rows.*,
  k.d
FROM rows_1 AS rows
JOIN (
  SELECT
    j0,
    ROW_NUMBER() OVER (ORDER BY j0) - 1 AS d
  FROM own_groups_6 AS own_groups
) AS k
  ON rows.j0 IS NOT DISTINCT FROM k.j0
