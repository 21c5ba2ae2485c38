SELECT DISTINCT
  people.kind
FROM people_3 AS people
JOIN (
  SELECT DISTINCT
    i0
  FROM own_rows_2 AS own_rows
) AS o
  ON people.i0 IS NOT DISTINCT FROM o.i0
