SELECT
  combinations.c2,
  found.t
FROM combinations AS combinations
JOIN found AS found
  ON combinations.h = found.h
