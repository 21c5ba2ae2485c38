"""Who is surely not exposed: people who can exchange values with others, so that a second world is seen.

Take a world and two values a and b. If everyone who holds a or b in a chain of groups that share such holders changes
to the other value, every group on the way exchanges how often it has a and b. That is a world again unless somebody in
the chain is known, is in a group without the other value, or is in a group with too few copies of one of the two.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deniable.worlds.arrays import Bools, Int32s
from deniable.worlds.components import root_of
from deniable.worlds.history.histories import History, KnownValues


def can_exchange(history: History, known: KnownValues, truth: Int32s) -> Bools:
    """Who has another value in a world that one exchange makes of the true one; the others may or may not."""
    is_known = np.zeros(history.people, np.bool_)
    is_known[known.people] = True
    chain, fits = _chains(
        history.people, history.values, history.member_offsets, history.members, history.value_offsets, history.codes,
        truth,
    )  # fmt: skip
    return np.asarray(_free(chain, fits, is_known, history.values))


@njit("Tuple((i8[::1], b1[::1]))(i8, i8, i8[::1], i4[::1], i8[::1], i4[::1], i4[::1])", cache=True)
def _chains(people, values, member_offsets, members, value_offsets, codes, truth):  # type: ignore[no-untyped-def]
    """For each person and other value (at person * values + value), the chain of that exchange and whether it fits."""
    chain, fits = np.arange(people * values), np.ones(people * values, np.bool_)
    first = np.empty((values, values), np.int64)
    copies, holders = np.zeros(values, np.int64), np.zeros(values, np.int64)
    for p in range(people):
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
                place = p * values + b
                if b == a or holders[a] > copies[b] or holders[b] > copies[a]:
                    fits[place] = False  # as it does for all who hold one of the two here
                elif first[min(a, b), max(a, b)] < 0:
                    first[min(a, b), max(a, b)] = place
                else:
                    chain[root_of(chain, place)] = root_of(chain, first[min(a, b), max(a, b)])
        for v in has:
            copies[v] = 0
            holders[v] = 0
    return chain, fits


@njit("b1[::1](i8[::1], b1[::1], b1[::1], i8)", cache=True)
def _free(chain, fits, is_known, values):  # type: ignore[no-untyped-def]
    """Who is in a chain that fits everywhere and has nobody known."""
    whole = np.ones(len(chain), np.bool_)
    for place in range(len(chain)):
        if is_known[place // values] or not fits[place]:
            whole[root_of(chain, place)] = False
    found = np.zeros(len(is_known), np.bool_)
    for place in range(len(chain)):
        if whole[root_of(chain, place)]:
            found[place // values] = True
    return found
