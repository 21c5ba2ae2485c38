SELECT
  d,
  w,
  own,
  COUNT(*) AS many
FROM id_side_8 AS id_side
GROUP BY
  d,
  w,
  own
