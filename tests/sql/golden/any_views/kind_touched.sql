SELECT
  d.kind,
  SUM(
    CASE
      WHEN members_total.alone AND d.t = d.w AND d.t = members_total.total
      THEN 0
      ELSE d.mu * POWER(CAST(2 AS DOUBLE), -LEAST(d.w - d.t, 52))
    END
  ) AS sigma
FROM (
  SELECT
    members.kind,
    k,
    u,
    SUM(times * t) AS t,
    MIN(w) AS w,
    MIN(mu) AS mu
  FROM touched_10 AS touched
  JOIN members_15 AS members
    ON touched.a = members.a
  GROUP BY
    members.kind,
    k,
    u
) AS d
JOIN members_total_16 AS members_total
  ON d.kind = members_total.kind
GROUP BY
  d.kind
