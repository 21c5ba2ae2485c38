SELECT
  g,
  c,
  weight / total AS value,
  weight / total * (
    1 - (
      k + 16
    ) * CAST(4.440892098500626e-16 AS DOUBLE)
  ) AS lower,
  LEAST(
    1,
    weight / total * (
      1 + (
        k + 16
      ) * CAST(4.440892098500626e-16 AS DOUBLE)
    ) + CAST(1e-300 AS DOUBLE)
  ) AS upper,
  'proved' AS bound
FROM (
  SELECT
    *,
    (
      CAST(SUM(vals * high) OVER (PARTITION BY g) AS DOUBLE) + CAST(SUM(vals * low) OVER (PARTITION BY g) AS DOUBLE) / 1073741824
    ) / 1073741824 AS total
  FROM (
    SELECT
      *,
      CAST(FLOOR(weight * 1073741824) AS BIGINT) AS high,
      CAST(FLOOR(
        (
          weight * 1073741824 - CAST(FLOOR(weight * 1073741824) AS BIGINT)
        ) * 1073741824
      ) AS BIGINT) AS low
    FROM (
      SELECT
        *,
        mantissa * POWER(CAST(2 AS DOUBLE), CAST(GREATEST(exponent - top, -2000) AS DOUBLE)) AS weight
      FROM (
        SELECT
          *,
          MAX(exponent) OVER (PARTITION BY g) AS top
        FROM (
          SELECT
            u.g,
            u.k,
            u.c,
            u.vals,
            mantissa,
            exponent
          FROM (
            SELECT
              g,
              m,
              n,
              k,
              c,
              vals
            FROM shapes_7 AS shapes
            WHERE
              least < most AND m > 1 AND CAST(m AS DOUBLE) * n > 0
          ) AS u
          JOIN quads_12 AS quads
            ON u.m = quads.m AND u.n = quads.n AND u.c = quads.c
        ) AS w
      ) AS t
    ) AS s
  ) AS p
) AS v
