"""SIND itself: conservative classes, merged where no world tells them apart (see worlds.indistinct)."""

from __future__ import annotations

import numpy as np

from deniable.analyses.crowds.partition import Bounds, Details, Partition, Prepared, class_bounds, conservative, dense
from deniable.worlds.arrays import Int64s as Ints
from deniable.worlds.crowds.swaps import Instance


def solve(prepared: Prepared, seconds: float) -> Partition:
    """Merge what is proved to belong together; what time leaves open stays apart and is counted."""
    details = prepared.details()
    if not prepared.plan.views:
        return conservative(prepared)
    table = dense(prepared, details)
    if table is None:
        return _undecided(prepared, details)
    return _decided(prepared, details, table, seconds)


def _undecided(prepared: Prepared, details: Details) -> Partition:
    """Too large to look at: the conservative classes, none of them proved to be a whole crowd."""
    found = conservative(prepared)
    return Partition(
        prepared,
        found.k,
        found.crowds,
        found.exact,
        lambda: class_bounds(prepared, details),
        found.crowd_of,
        undecided=0 if found.exact else prepared.people,
    )


def _decided(prepared: Prepared, details: Details, table: Instance, seconds: float) -> Partition:
    from deniable.worlds.crowds.sind import decide

    found = decide(table, seconds)
    crowds = int(found.crowd.max()) + 1
    size = _summed(found.crowd, details.sizes, crowds)
    _, first = np.unique(found.crowd, return_index=True)
    possible = found.seen[first] @ table.weight
    most = (found.seen | found.open)[first] @ table.weight
    undecided = int(details.sizes[found.undecided].sum())
    return Partition(
        prepared,
        int(size.min()),
        crowds,
        exact=not undecided and not prepared.plan.unknown,
        find_bounds=lambda: Bounds(size, possible, most),
        crowd_of=lambda: found.crowd,
        undecided=undecided,
    )


def _summed(crowd: Ints, sizes: Ints, crowds: int) -> Ints:
    return np.bincount(crowd, sizes, crowds).astype(np.int64)
