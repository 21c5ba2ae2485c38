SELECT
  t.j0,
  v,
  t.c,
  t.r,
  t.s
FROM (
  SELECT
    j0,
    p0,
    CAST(BIT_COUNT(BIT_OR(bit)) AS BIGINT) AS c,
    COUNT(*) AS r,
    COUNT(*) FILTER(WHERE
      s) AS s
  FROM (
    SELECT
      rows.j0,
      rows.p0,
      rows.s,
      rows.x0,
      bit
    FROM rows_1 AS rows
    JOIN other_bits_20 AS other_bits
      ON rows.x0 IS NOT DISTINCT FROM other_bits.x0
  ) AS t
  GROUP BY
    j0,
    p0
) AS t
JOIN values_2 AS values_
  ON t.p0 IS NOT DISTINCT FROM values_.p0
