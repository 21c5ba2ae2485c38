"""Counterfeits that an adversary follows from release to release, and what they weigh: nothing.

Stable groups have *nobodies*, counterfeits from the start that keep their value while they are there. Somebody who
knows the algorithm follows them, so they stand in the history like people. Worlds are then counted with the nobodies'
values, but each assignment of values to real people shall count once. That is the same where every such assignment can
be completed in equally many ways:

- The values that real members leave of a group's are those of its nobodies. Nobodies who are in the same groups form a
  class. If the classes' columns in the incidence of groups and classes are independent, the multisets of all classes
  follow from the real people's values.
- A class of c nobodies has as many orders as its multiset: 1 if c = 1, and c! if a group with all values different
  holds it.
"""

from __future__ import annotations

import numpy as np

from deniable.worlds.arrays import Bools
from deniable.worlds.history.histories import History
from deniable.worlds.history.lineage_forest import connected

_MOST = 64  # classes that share groups, up to which their columns are looked at


def unevenly_counted(history: History, people: int) -> Bools:
    """For whom worlds with nobodies (members from `people` on) may not count as those of real people do."""
    starts, groups = history.memberships
    nobodies = np.flatnonzero(np.diff(starts[people:])) + people
    classes: dict[tuple[int, ...], list[int]] = {}
    for who in nobodies.tolist():
        classes.setdefault(tuple(groups[starts[who] : starts[who + 1]].tolist()), []).append(who)
    uneven = [who for cluster in _clusters(list(classes)) for who in _uneven(history, cluster, classes)]
    if not uneven:
        return np.zeros(history.people, np.bool_)
    return connected(history, np.array(uneven, np.int64))


def _clusters(keys: list[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Classes that share groups, directly or by others."""
    home: dict[int, int] = {}
    found: dict[int, list[tuple[int, ...]]] = {}
    for number, key in enumerate(keys):
        joined = [key]
        for other in {home[group] for group in key if group in home}:
            joined += found.pop(other)
        found[number] = joined
        home.update((group, number) for one in joined for group in one)
    return list(found.values())


def _uneven(history: History, cluster: list[tuple[int, ...]], classes: dict[tuple[int, ...], list[int]]) -> list[int]:
    """The nobodies of a cluster, unless every assignment to real people has as many completions as any other."""
    everybody = [who for key in cluster for who in classes[key]]
    if len(cluster) > _MOST:
        return everybody
    rows = {group: row for row, group in enumerate(sorted({group for key in cluster for group in key}))}
    incidence = np.zeros((len(rows), len(cluster)))
    for place, key in enumerate(cluster):
        incidence[[rows[group] for group in key], place] = 1
    independent = np.linalg.matrix_rank(incidence) == len(cluster)
    ordered = all(len(classes[key]) == 1 or any(_all_different(history, group) for group in key) for key in cluster)
    return [] if independent and ordered else everybody


def _all_different(history: History, group: int) -> bool:
    codes = history.codes[history.value_offsets[group] : history.value_offsets[group + 1]]
    return len(np.unique(codes)) == len(codes)
