SELECT
  home.u0 AS a,
  d.v,
  d.chance,
  d.terms
FROM side_3 AS home
JOIN (
  SELECT
    w.z0,
    v,
    SUM(share * chance) AS chance,
    CAST(SUM(terms) AS BIGINT) AS terms
  FROM (
    SELECT
      z0,
      z1,
      CAST(k AS DOUBLE) / CAST(SUM(k) OVER (PARTITION BY z0) AS DOUBLE) AS share
    FROM (
      SELECT
        z0,
        z1,
        COUNT(*) AS k
      FROM rows_1 AS rows
      GROUP BY
        z0,
        z1
    ) AS s
  ) AS w
  JOIN (
    SELECT
      z1,
      v,
      CAST(k AS DOUBLE) / CAST(SUM(k) OVER (PARTITION BY z1) AS DOUBLE) AS chance,
      1 AS terms
    FROM (
      SELECT
        z1,
        v,
        COUNT(*) AS k
      FROM (
        SELECT
          rows.z1,
          v
        FROM rows_1 AS rows
        JOIN values_2 AS values_
          ON rows.z2 IS NOT DISTINCT FROM values_.p0
      ) AS q
      GROUP BY
        z1,
        v
    ) AS s
  ) AS n
    ON w.z1 IS NOT DISTINCT FROM n.z1
  GROUP BY
    w.z0,
    v
) AS d
  ON home.z0 IS NOT DISTINCT FROM d.z0
