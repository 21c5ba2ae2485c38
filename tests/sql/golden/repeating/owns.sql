SELECT
  g,
  own,
  joined,
  people,
  CAST(SUM(people) OVER (PARTITION BY g ORDER BY own DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS as_often
FROM (
  SELECT
    g,
    own,
    joined,
    COUNT(*) AS people
  FROM persons_4 AS persons
  GROUP BY
    g,
    own,
    joined
) AS q
