SELECT
  owns.g,
  owns.own,
  owns.joined,
  owns.as_often,
  owns.people AS everybody,
  cells.v,
  cells.c,
  cells.r,
  COALESCE(p.s, 0) AS s,
  sides.m,
  groups.n,
  groups.rows,
  CASE WHEN groups.rows <= 3 THEN x.ids ELSE '' END AS ids,
  CASE WHEN groups.rows <= 3 THEN y.vals ELSE '' END AS vals,
  CASE WHEN groups.rows <= 3 THEN z.mine ELSE '' END AS mine
FROM owns_5 AS owns
JOIN groups_3 AS groups
  ON owns.g = groups.g
JOIN sides_9 AS sides
  ON owns.g = sides.g
JOIN cells_10 AS cells
  ON owns.g = cells.g
JOIN (
  SELECT
    g,
    LISTAGG(CONCAT(own, ':', many), ' '
    ORDER BY
      own) AS ids
  FROM (
    SELECT
      g,
      own,
      CAST(SUM(people) AS BIGINT) AS many
    FROM owns_5 AS a
    GROUP BY
      g,
      own
  ) AS k
  GROUP BY
    g
) AS x
  ON owns.g = x.g
JOIN (
  SELECT
    g,
    LISTAGG(CONCAT(r, ':', many), ' '
    ORDER BY
      r) AS vals
  FROM (
    SELECT
      g,
      r,
      COUNT(*) AS many
    FROM value_tuples_6 AS a
    GROUP BY
      g,
      r
  ) AS k
  GROUP BY
    g
) AS y
  ON owns.g = y.g
JOIN (
  SELECT
    g,
    v,
    LISTAGG(CONCAT(r, ':', many), ' '
    ORDER BY
      r) AS mine
  FROM (
    SELECT
      g,
      v,
      r,
      COUNT(*) AS many
    FROM value_tuples_6 AS a
    GROUP BY
      g,
      v,
      r
  ) AS k
  GROUP BY
    g,
    v
) AS z
  ON cells.g = z.g AND cells.v = z.v
LEFT JOIN (
  SELECT
    g,
    own,
    joined,
    v,
    COUNT(*) AS s
  FROM own_pairs_8 AS pairs
  GROUP BY
    g,
    own,
    joined,
    v
) AS p
  ON owns.g = p.g AND owns.own = p.own AND owns.joined = p.joined AND cells.v = p.v
