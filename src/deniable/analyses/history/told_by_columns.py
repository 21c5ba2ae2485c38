"""What the newest release tells somebody who knows one quasi-identifier's statistics.

Groups in which every value is equally frequent promise 1/m against people who know nothing of how values are spread.
Whoever knows p(value | sex), as the table has it, is the adversary of `linkage`; this counts whom they are surer of, in
the groups of this release alone (docs/theory/linkage.md, "Groups made without knowledge").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.analyses.history.next_groups import NextGroups
from deniable.analyses.linkage.column_statistics import NOBODY, ColumnTells, column_tells


def told_by_columns(made: NextGroups, quasi: Sequence[str]) -> dict[str, ColumnTells]:
    """For each quasi-identifier the people who are above 1/m; whoever is withheld is in the statistics only."""
    grouping = made.grouping
    fakes = np.diff(grouping.counterfeit_starts)
    group = np.concatenate([grouping.group, np.repeat(np.arange(len(fakes)), fakes)]).astype(np.int32)
    values = np.concatenate([made.table.values, grouping.counterfeits]).astype(np.int32)
    nobody = np.full(len(grouping.counterfeits), NOBODY, np.int32)
    named = zip(quasi, made.table.columns, strict=True)
    return {
        name: column_tells(np.concatenate([codes, nobody]), values, group, 1.0 / made.chosen.m) for name, codes in named
    }
