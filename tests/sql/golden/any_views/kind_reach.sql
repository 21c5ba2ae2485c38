SELECT
  members.kind,
  members.a,
  members.times,
  reach.v,
  reach.c,
  r.w
FROM members_15 AS members
JOIN reach_9 AS reach
  ON members.a = reach.a
JOIN (
  SELECT
    a,
    SUM(c) AS w
  FROM reach_9 AS reach
  GROUP BY
    a
) AS r
  ON members.a = r.a
ORDER BY
  members.kind NULLS FIRST,
  reach.v NULLS FIRST,
  members.a NULLS FIRST
