SELECT
  i0,
  LISTAGG(CAST(a AS TEXT), ' '
  ORDER BY
    a) AS types
FROM person_types_11 AS person_types
GROUP BY
  i0
