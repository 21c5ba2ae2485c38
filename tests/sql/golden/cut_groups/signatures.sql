SELECT
  l.i0,
  l.tuples || '|' || r.have AS types
FROM (
  SELECT
    i0,
    LISTAGG(CAST(a AS TEXT) || ':' || CAST(w AS TEXT), ' '
    ORDER BY
      a,
      w) AS tuples
  FROM (
    SELECT
      d.i0,
      side.u0 AS a,
      d.w
    FROM (
      SELECT
        i0,
        z0,
        z1,
        COUNT(*) AS w
      FROM rows_1 AS rows
      GROUP BY
        i0,
        z0,
        z1
    ) AS d
    JOIN home_1 AS side
      ON d.z1 IS NOT DISTINCT FROM side.z1
  ) AS o
  GROUP BY
    i0
) AS l
JOIN (
  SELECT
    i0,
    LISTAGG(CAST(g AS TEXT) || ':' || CAST(t AS TEXT), ' '
    ORDER BY
      g) AS have
  FROM (
    SELECT
      d.i0,
      g.g,
      COUNT(*) AS t
    FROM (
      SELECT DISTINCT
        i0,
        z0,
        z1,
        z2,
        z3,
        z4
      FROM rows_1 AS rows
    ) AS d
    JOIN (
      SELECT DISTINCT
        g
      FROM groups_1 AS groups
    ) AS g
      ON TRUE
    GROUP BY
      d.i0,
      g.g
  ) AS c
  GROUP BY
    i0
) AS r
  ON l.i0 IS NOT DISTINCT FROM r.i0
