SELECT
  members.kind,
  c.v,
  MAX(chance) AS least,
  LEAST(SUM(times * chance), 1) AS most,
  CAST(SUM(times) AS BIGINT) AS many
FROM members_5 AS members
JOIN chances_4 AS c
  ON members.a = c.a
GROUP BY
  members.kind,
  c.v
