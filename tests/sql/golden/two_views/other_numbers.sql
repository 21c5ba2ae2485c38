SELECT
  x0,
  ROW_NUMBER() OVER () - 1 AS o
FROM few_others_19 AS different
