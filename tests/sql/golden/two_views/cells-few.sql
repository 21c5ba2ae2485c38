SELECT
  j0,
  v,
  CAST(BIT_COUNT(BIT_OR(bit)) AS BIGINT) AS c,
  COUNT(*) AS r,
  COUNT(*) FILTER(WHERE
    s) AS s
FROM (
  SELECT
    rows.j0,
    rows.x0,
    rows.s,
    v,
    bit
  FROM rows_1 AS rows
  JOIN values_2 AS values_
    ON rows.p0 IS NOT DISTINCT FROM values_.p0
  JOIN other_bits_20 AS other_bits
    ON rows.x0 IS NOT DISTINCT FROM other_bits.x0
) AS t
GROUP BY
  j0,
  v
