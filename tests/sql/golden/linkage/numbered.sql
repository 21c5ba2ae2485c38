SELECT
  q0,
  q1,
  ROW_NUMBER() OVER (ORDER BY q0, q1) - 1 AS s
FROM (
  SELECT DISTINCT
    q0,
    q1
  FROM published_people_3 AS source
) AS d
