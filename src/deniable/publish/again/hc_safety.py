"""Which groups tell too much against an earlier release: hcSafe of Cor-Split (Riboni & Bettini, Figure 6), compiled.

A group of q rows is unsafe of degree n if for some earlier release more than q - n but fewer than q of its people
were together in one group. Such people miss at most b - 1 of the k people with a past, b = k - q + n, so one of
any b of them is among the people together: only the groups of b anchors are counted.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deniable.publish.again.releases import Grouping, History, Longs, Table


@njit(cache=True)
def is_safe(people, k, rows, n, past):  # type: ignore[no-untyped-def]
    """Whether people[:k] (rows of `past`: the group in each release, -1 absent) may share a group of `rows` rows."""
    anchors = k - rows + n
    for a in range(anchors):
        for t in range(past.shape[1]):
            group = past[people[a], t]
            if group < 0:
                continue
            missing = 0
            for i in range(k):
                if past[people[i], t] != group:
                    missing += 1
                    if missing == anchors:
                        break
            if missing < anchors and k - missing < rows:
                return False
    return True


@njit("b1[::1](i8[::1], i8[::1], i8[::1], i8, i4[:, ::1])", cache=True)
def _safe_groups(people, starts, rows, n, past):  # type: ignore[no-untyped-def]
    """For each group people[starts[g]:starts[g + 1]] of rows[g] rows, whether it is safe of degree n."""
    safe = np.ones(len(rows), np.bool_)
    for g in range(len(rows)):
        inside = people[starts[g] : starts[g + 1]]
        safe[g] = is_safe(inside, len(inside), rows[g], n, past)
    return safe


def unsafe_groups(table: Table, history: History, grouping: Grouping, n: int) -> Longs:
    """The groups of a release that are not hc-safe of degree n against the history before it."""
    counts = np.bincount(grouping.group[grouping.group >= 0], minlength=len(grouping.signature))
    rows = counts + np.diff(grouping.counterfeit_starts)
    known = np.flatnonzero((grouping.group >= 0) & (table.person < history.people))
    known = known[np.argsort(grouping.group[known], kind="stable")]
    starts = np.searchsorted(grouping.group[known], np.arange(len(rows) + 1))
    safe = _safe_groups(table.person[known], starts, rows, n, history.groups)
    return np.flatnonzero(~safe)
