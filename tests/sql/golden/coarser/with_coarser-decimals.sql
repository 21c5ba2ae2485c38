SELECT
  "source"."x",
  '[' || RTRIM(
    RTRIM(
      CAST((
        CAST(CASE
          WHEN CAST("source"."x" AS DOUBLE) < CAST((
            CAST(CASE
              WHEN (
                (
                  CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                ) / CAST(0.1 AS DOUBLE)
              ) BETWEEN (
                -1000000000000000
              ) AND 1000000000000000
              THEN CAST(FLOOR(
                (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                )
              ) AS BIGINT)
            END AS DECIMAL(19, 0)) * CAST(0.1 AS DECIMAL(18, 2)) + CAST(0.05 AS DECIMAL(18, 2))
          ) AS DOUBLE)
          THEN (
            CASE
              WHEN (
                (
                  CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                ) / CAST(0.1 AS DOUBLE)
              ) BETWEEN (
                -1000000000000000
              ) AND 1000000000000000
              THEN CAST(FLOOR(
                (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                )
              ) AS BIGINT)
            END - 1
          )
          WHEN CAST("source"."x" AS DOUBLE) >= CAST((
            CAST((
              CASE
                WHEN (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                ) BETWEEN (
                  -1000000000000000
                ) AND 1000000000000000
                THEN CAST(FLOOR(
                  (
                    (
                      CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                    ) / CAST(0.1 AS DOUBLE)
                  )
                ) AS BIGINT)
              END + 1
            ) AS DECIMAL(19, 0)) * CAST(0.1 AS DECIMAL(18, 2)) + CAST(0.05 AS DECIMAL(18, 2))
          ) AS DOUBLE)
          THEN (
            CASE
              WHEN (
                (
                  CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                ) / CAST(0.1 AS DOUBLE)
              ) BETWEEN (
                -1000000000000000
              ) AND 1000000000000000
              THEN CAST(FLOOR(
                (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                )
              ) AS BIGINT)
            END + 1
          )
          ELSE CASE
            WHEN (
              (
                CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
              ) / CAST(0.1 AS DOUBLE)
            ) BETWEEN (
              -1000000000000000
            ) AND 1000000000000000
            THEN CAST(FLOOR(
              (
                (
                  CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                ) / CAST(0.1 AS DOUBLE)
              )
            ) AS BIGINT)
          END
        END AS DECIMAL(19, 0)) * CAST(0.1 AS DECIMAL(18, 2)) + CAST(0.05 AS DECIMAL(18, 2))
      ) AS TEXT),
      '0'
    ),
    '.'
  ) || ',' || RTRIM(
    RTRIM(
      CAST((
        CAST((
          CASE
            WHEN CAST("source"."x" AS DOUBLE) < CAST((
              CAST(CASE
                WHEN (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                ) BETWEEN (
                  -1000000000000000
                ) AND 1000000000000000
                THEN CAST(FLOOR(
                  (
                    (
                      CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                    ) / CAST(0.1 AS DOUBLE)
                  )
                ) AS BIGINT)
              END AS DECIMAL(19, 0)) * CAST(0.1 AS DECIMAL(18, 2)) + CAST(0.05 AS DECIMAL(18, 2))
            ) AS DOUBLE)
            THEN (
              CASE
                WHEN (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                ) BETWEEN (
                  -1000000000000000
                ) AND 1000000000000000
                THEN CAST(FLOOR(
                  (
                    (
                      CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                    ) / CAST(0.1 AS DOUBLE)
                  )
                ) AS BIGINT)
              END - 1
            )
            WHEN CAST("source"."x" AS DOUBLE) >= CAST((
              CAST((
                CASE
                  WHEN (
                    (
                      CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                    ) / CAST(0.1 AS DOUBLE)
                  ) BETWEEN (
                    -1000000000000000
                  ) AND 1000000000000000
                  THEN CAST(FLOOR(
                    (
                      (
                        CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                      ) / CAST(0.1 AS DOUBLE)
                    )
                  ) AS BIGINT)
                END + 1
              ) AS DECIMAL(19, 0)) * CAST(0.1 AS DECIMAL(18, 2)) + CAST(0.05 AS DECIMAL(18, 2))
            ) AS DOUBLE)
            THEN (
              CASE
                WHEN (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                ) BETWEEN (
                  -1000000000000000
                ) AND 1000000000000000
                THEN CAST(FLOOR(
                  (
                    (
                      CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                    ) / CAST(0.1 AS DOUBLE)
                  )
                ) AS BIGINT)
              END + 1
            )
            ELSE CASE
              WHEN (
                (
                  CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                ) / CAST(0.1 AS DOUBLE)
              ) BETWEEN (
                -1000000000000000
              ) AND 1000000000000000
              THEN CAST(FLOOR(
                (
                  (
                    CAST("source"."x" AS DOUBLE) - CAST(0.05 AS DOUBLE)
                  ) / CAST(0.1 AS DOUBLE)
                )
              ) AS BIGINT)
            END
          END + 1
        ) AS DECIMAL(19, 0)) * CAST(0.1 AS DECIMAL(18, 2)) + CAST(0.05 AS DECIMAL(18, 2))
      ) AS TEXT),
      '0'
    ),
    '.'
  ) || ')' AS "b"
FROM source_1 AS source
