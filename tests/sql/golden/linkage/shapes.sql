SELECT
  alike.u,
  numbers.shape
FROM alike_17 AS alike
JOIN numbers_19 AS numbers
  ON alike.first_u = numbers.u
