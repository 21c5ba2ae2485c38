SELECT
  crowd,
  LISTAGG(COALESCE(value, ''), '|'
  ORDER BY
    v) AS collection
FROM (
  SELECT
    c.crowd,
    c.v,
    CAST(domain.p AS TEXT) AS value
  FROM (
    SELECT DISTINCT
      crowds.crowd,
      crowds.v
    FROM crowds AS crowds
  ) AS c
  JOIN domain AS domain
    ON c.v = domain.v
) AS c
GROUP BY
  crowd
