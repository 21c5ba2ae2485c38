"""Who is surely not exposed: people who can exchange values with others, so that a second world is seen.

Take a world and two values a and b. If everyone who holds a or b in a chain of groups that share such holders changes
to the other value, every group on the way exchanges how often it has a and b. That is a world again unless somebody in
the chain is known, is in a group without the other value, or is in a group with too few copies of one of the two.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Int32s
from deniable.worlds.components import root_of
from deniable.worlds.history.histories import History, KnownValues

_HEAVY = 4  # steps for each member and value


def can_exchange(history: History, known: KnownValues, truth: Int32s) -> Bools:
    """Who has another value in a world that one exchange makes of the true one; the others may or may not."""
    is_known = np.zeros(history.people, np.bool_)
    is_known[known.people] = True
    truth = truth.astype(np.int64)
    members, codes = history.members.astype(np.int64), history.codes.astype(np.int64)
    places = history.people * history.values
    chain, fits, is_free = np.arange(places), np.ones(places, np.bool_), np.ones(places, np.bool_)
    with work(_HEAVY * len(members) * history.values):
        _chains(history.values, history.member_offsets, members, history.value_offsets, codes, truth, chain, fits)
        _free(chain, fits, is_known, history.values, is_free)
    return np.asarray(is_free.reshape(history.people, history.values).any(axis=1))


@kernel()
def _chains(values, member_offsets, members, value_offsets, codes, truth, chain, fits):  # type: ignore[no-untyped-def]
    """For each person and other value (at person * values + value), the chain of that exchange and whether it fits."""
    first = np.empty((values, values), np.int64)
    copies, holders = np.zeros(values, np.int64), np.zeros(values, np.int64)
    for p in range(len(truth)):
        fits[p * values + truth[p]] = False
    for g in range(len(member_offsets) - 1):
        who, has = members[member_offsets[g] : member_offsets[g + 1]], codes[value_offsets[g] : value_offsets[g + 1]]
        for v in has:
            copies[v] += 1
            for w in has:
                first[v, w] = -1
        for p in who:
            holders[truth[p]] += 1
        for p in who:
            a = truth[p]
            for b in range(values):
                place, low, high = p * values + b, min(a, b), max(a, b)
                if b == a or holders[a] > copies[b] or holders[b] > copies[a]:
                    fits[place] = False  # as it does for all who hold one of the two here
                elif first[low, high] < 0:
                    first[low, high] = place
                else:
                    chain[root_of(chain, place)] = root_of(chain, first[low, high])
        for v in has:
            copies[v] = 0
            holders[v] = 0


@kernel()
def _free(chain, fits, is_known, values, is_free):  # type: ignore[no-untyped-def]
    """Which exchanges are in a chain that fits everywhere and has nobody known; all are taken to be at first."""
    for place in range(len(chain)):
        if is_known[place // values] or not fits[place]:
            is_free[root_of(chain, place)] = False
    for place in range(len(chain)):
        if not is_free[root_of(chain, place)]:
            is_free[place] = False
