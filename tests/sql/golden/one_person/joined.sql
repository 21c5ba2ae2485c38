SELECT
  d,
  a,
  t,
  own,
  COUNT(*) AS many
FROM (
  SELECT
    p.d,
    p.a,
    p.t,
    COALESCE(o.own, FALSE) AS own
  FROM (
    SELECT
      d,
      i0,
      COUNT(*) AS a,
      CAST(SUM(t) AS BIGINT) AS t
    FROM (
      SELECT
        d,
        i0,
        y0,
        COUNT(*) AS t
      FROM (
        SELECT DISTINCT
          d,
          i0,
          y0,
          x0,
          p0
        FROM in_groups_7 AS in_groups
      ) AS e
      GROUP BY
        d,
        i0,
        y0
    ) AS f
    GROUP BY
      d,
      i0
  ) AS p
  LEFT JOIN (
    SELECT DISTINCT
      i0,
      TRUE AS own
    FROM own_rows_2 AS own_rows
  ) AS o
    ON p.i0 IS NOT DISTINCT FROM o.i0
) AS q
GROUP BY
  d,
  a,
  t,
  own
