SELECT
  members.kind,
  SUM(times * r.w) AS total,
  SUM(times) = 1 AS alone
FROM members_15 AS members
JOIN (
  SELECT
    a,
    SUM(c) AS w
  FROM reach_9 AS reach
  GROUP BY
    a
) AS r
  ON members.a = r.a
GROUP BY
  members.kind
