SELECT
  groups.u,
  named.v,
  COUNT(*) AS n
FROM published_values_4 AS values_
JOIN groups_5 AS groups
  ON values_.g IS NOT DISTINCT FROM groups.g
JOIN named_6 AS named
  ON values_.x IS NOT DISTINCT FROM named.x
GROUP BY
  groups.u,
  named.v
