SELECT
  "source"."name",
  "source"."age",
  CAST((
    CAST("source"."age" AS INT128) - (
      (
        (
          CAST("source"."age" AS INT128) % 10
        ) + 10
      ) % 10
    )
  ) AS TEXT) || '-' || CAST((
    (
      CAST("source"."age" AS INT128) - (
        (
          (
            CAST("source"."age" AS INT128) % 10
          ) + 10
        ) % 10
      )
    ) + 9
  ) AS TEXT) AS "age_band",
  CAST((
    CAST("source"."age" AS INT128) - (
      (
        (
          (
            CAST("source"."age" AS INT128) - 5
          ) % 10
        ) + 10
      ) % 10
    )
  ) AS TEXT) || '-' || CAST((
    (
      CAST("source"."age" AS INT128) - (
        (
          (
            (
              CAST("source"."age" AS INT128) - 5
            ) % 10
          ) + 10
        ) % 10
      )
    ) + 9
  ) AS TEXT) AS "moved",
  LEFT(CAST("source"."name" AS TEXT), 1) AS "initial",
  CASE WHEN "source"."age" >= 50 THEN '50+' ELSE CAST("source"."age" AS TEXT) END AS "old"
FROM source_1 AS source
