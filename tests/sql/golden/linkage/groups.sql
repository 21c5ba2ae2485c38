SELECT
  *,
  ROW_NUMBER() OVER (ORDER BY g) - 1 AS u
FROM (
  SELECT
    COALESCE(l.g, r.g) AS g,
    COALESCE(people, 0) AS people,
    COALESCE(copies, 0) AS copies
  FROM (
    SELECT
      g,
      COUNT(*) AS people
    FROM published_people_3 AS people
    GROUP BY
      g
  ) AS l
  FULL JOIN (
    SELECT
      g,
      COUNT(*) AS copies
    FROM published_values_4 AS values_
    GROUP BY
      g
  ) AS r
    ON l.g IS NOT DISTINCT FROM r.g
) AS j
