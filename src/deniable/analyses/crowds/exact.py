"""SIND itself: conservative classes, merged where no world tells them apart (`worlds.crowds.sind`)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deniable.analyses.crowds.classes import Classes
from deniable.analyses.crowds.instance import instance_of
from deniable.analyses.crowds.partition import Partition, ValueBounds, conservative
from deniable.worlds.crowds.swaps import Instance


def solve(classes: Classes, seconds: float) -> Partition:
    """Merge what is proved to belong together; what time leaves open stays apart and is counted."""
    if not classes.plan.views:
        return conservative(classes)
    table = instance_of(classes)
    return _undecided(classes) if table is None else _decided(classes, table, seconds)


def _undecided(classes: Classes) -> Partition:
    """Too large to look at: the conservative classes, none of them proved to be a whole crowd."""
    found = conservative(classes)
    return replace(found, by_key=False, undecided=0 if found.exact else classes.totals.people)


def _decided(classes: Classes, table: Instance, seconds: float) -> Partition:
    from deniable.worlds.crowds.sind import decide

    found = decide(table, seconds)
    crowds = int(found.crowd.max()) + 1
    size = np.bincount(found.crowd, classes.sizes, crowds).astype(np.int64)
    _, first = np.unique(found.crowd, return_index=True)
    possible = found.seen[first] @ table.weight
    most = (found.seen | found.open)[first] @ table.weight
    undecided = int(classes.sizes[found.undecided].sum())
    return Partition(
        classes,
        int(size.min()),
        crowds,
        exact=not undecided and not classes.plan.unknown,
        find_bounds=lambda: ValueBounds(size, possible, most),
        crowd_of=lambda: found.crowd,
        undecided=undecided,
    )
