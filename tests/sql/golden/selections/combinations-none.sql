SELECT
  ROW_NUMBER() OVER () - 1 AS h
FROM (
  SELECT DISTINCT
    0 AS nothing
  FROM base AS base
) AS d
