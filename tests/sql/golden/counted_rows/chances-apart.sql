SELECT
  home.u0 AS a,
  d.v,
  d.chance,
  d.terms
FROM side_3 AS home
JOIN (
  SELECT
    v,
    CAST(k AS DOUBLE) / CAST(SUM(k) OVER () AS DOUBLE) AS chance,
    1 AS terms
  FROM (
    SELECT
      v,
      COUNT(*) AS k
    FROM (
      SELECT
        v
      FROM rows_1 AS rows
      JOIN values_2 AS values_
        ON rows.z2 IS NOT DISTINCT FROM values_.p0
    ) AS q
    GROUP BY
      v
  ) AS s
) AS d
  ON TRUE
