SELECT DISTINCT
  CAST(rows.i0 AS TEXT) AS i0
FROM rows AS rows
JOIN (
  SELECT DISTINCT
    rows.j0
  FROM rows AS rows
  JOIN people AS people
    ON rows.i0 IS NOT DISTINCT FROM people.i0
) AS theirs
  ON rows.j0 IS NOT DISTINCT FROM theirs.j0
