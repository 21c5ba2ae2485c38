SELECT
  MIN(size) AS k,
  COUNT(*) AS classes,
  CAST(SUM(size) AS BIGINT) AS people,
  MIN(found) AS least,
  CAST(COALESCE(SUM(size) FILTER(WHERE
    found = 1), 0) AS BIGINT) AS constant,
  (
    SELECT
      COALESCE(MAX(alike), 0)
    FROM (
      SELECT
        COUNT(*) AS alike
      FROM classes AS classes
      WHERE
        found = 1
      GROUP BY
        low
    ) AS c
  ) AS alike
FROM classes AS classes
