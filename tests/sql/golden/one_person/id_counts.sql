SELECT
  d,
  COUNT(*) AS m,
  COUNT(*) FILTER(WHERE
    own) AS a
FROM id_side_8 AS id_side
GROUP BY
  d
