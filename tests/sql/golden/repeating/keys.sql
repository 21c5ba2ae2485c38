SELECT
  m,
  n,
  rows,
  c,
  r,
  own,
  joined,
  as_often,
  ids,
  vals,
  mine,
  ROW_NUMBER() OVER () - 1 AS key
FROM (
  SELECT DISTINCT
    m,
    n,
    rows,
    c,
    r,
    own,
    joined,
    as_often,
    ids,
    vals,
    mine
  FROM own_cells_11 AS own_cells
) AS d
