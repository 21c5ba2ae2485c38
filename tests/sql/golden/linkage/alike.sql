SELECT
  signatures.u,
  MIN(signatures.u) OVER (PARTITION BY signatures.counted, values_.counted) AS first_u
FROM signature_texts_20 AS signatures
JOIN value_texts_21 AS values_
  ON signatures.u = values_.u
