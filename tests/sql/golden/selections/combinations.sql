SELECT
  c0,
  c1,
  ROW_NUMBER() OVER () - 1 AS h
FROM (
  SELECT DISTINCT
    c0,
    c1
  FROM base AS base
) AS d
