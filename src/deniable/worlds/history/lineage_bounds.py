"""Upper bounds for the chance of the true value in lineages that have too many worlds to be counted; proved.

Exchange of people: those who enter and leave together and are not known are equally likely to have a value; of r such
people at most c have it where a state has c copies that are not known people's, so p <= c / r. Exchange of values: k
values that every state of a lineage has equally often and nobody known in it has are equally likely, so p <= 1 / k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from deniable.worlds.arrays import Bools, Floats, Int32s
from deniable.worlds.history.histories import NOTHING, History, KnownValues
from deniable.worlds.history.lineage_forest import forest


@dataclass(frozen=True)
class Bounded:
    """The chance of each person's true value is at most `high`, which is 1 for people who are not `inside` a lineage.

    Nobody unknown of a lineage is in another group, so no other lineage says anything of its people.
    """

    high: Floats
    inside: Bools


def by_exchange(history: History, truth: Int32s, known: KnownValues = NOTHING) -> Bounded:
    """Bounds for everybody who is in lineages only with people who are in no other, or known."""
    arcs = forest(history)
    is_known = np.zeros(history.people, np.bool_)
    is_known[known.people] = True
    found = Bounded(np.ones(history.people), np.zeros(history.people, np.bool_))
    _bound_all(arcs, truth[arcs.person].astype(np.int64), is_known, found.high, found.inside)
    found.high[is_known] = 1.0
    return found


@njit(cache=True)
def _tables(t, kinds, arcs, value, is_known):  # type: ignore[no-untyped-def]
    """How many more people with each value leave at each node than enter; unknown holders in the state from there."""
    more = np.zeros((arcs.nodes[t], len(kinds)), np.int64)
    held = np.zeros((arcs.nodes[t], len(kinds)), np.int64)
    for i in range(arcs.starts[t], arcs.starts[t + 1]):
        v = np.searchsorted(kinds, value[i])
        more[arcs.head[i], v] += 1
        more[arcs.tail[i], v] -= 1
        if not is_known[arcs.person[i]]:
            held[arcs.tail[i], v] += 1
            held[arcs.head[i], v] -= 1
    for node in range(arcs.nodes[t] - 1, 0, -1):  # states come before the one that follows them
        for v in range(len(kinds)):
            held[arcs.into[arcs.node_starts[t] + node], v] += held[node, v]
    return more, held


@njit(cache=True)
def _alike(t, kinds, more, arcs, value, is_known):  # type: ignore[no-untyped-def]
    """How many values can be exchanged for each one, itself included; 1 for values that somebody known has."""
    alike, told = np.ones(len(kinds), np.int64), np.zeros(len(kinds), np.bool_)
    for i in range(arcs.starts[t], arcs.starts[t + 1]):
        if is_known[arcs.person[i]]:
            told[np.searchsorted(kinds, value[i])] = True
    for v in range(len(kinds)):
        for w in range(v):
            if not told[v] and not told[w] and (more[:, v] == more[:, w]).all():
                alike[v] += 1
                alike[w] += 1
    return alike


@njit(cache=True)
def _bound(t, arcs, value, is_known, high):  # type: ignore[no-untyped-def]
    """Bounds for the people of a tree; those who enter and leave together are side by side in `order`."""
    kinds = np.unique(value[arcs.starts[t] : arcs.starts[t + 1]])
    more, held = _tables(t, kinds, arcs, value, is_known)
    alike = _alike(t, kinds, more, arcs, value, is_known)
    first = arcs.starts[t]
    way = arcs.tail[first : arcs.starts[t + 1]] * arcs.nodes[t] + arcs.head[first : arcs.starts[t + 1]]
    order = np.argsort(way)
    begin = 0
    while begin < len(order):
        end, together = begin, 0
        while end < len(order) and way[order[end]] == way[order[begin]]:
            together += not is_known[arcs.person[first + order[end]]]
            end += 1
        for place in order[begin:end]:
            i = first + place
            v = np.searchsorted(kinds, value[i])
            node, copies = arcs.tail[i], together
            while node != arcs.head[i]:
                copies = min(copies, held[node, v])
                node = arcs.into[arcs.node_starts[t] + node]
            high[arcs.person[i]] = min(1.0 / alike[v], copies / max(together, 1))
        begin = end


@njit(cache=True)
def _bound_all(arcs, value, is_known, high, inside):  # type: ignore[no-untyped-def]
    for t in range(len(arcs.nodes)):
        alone = True
        for i in range(arcs.starts[t], arcs.starts[t + 1]):
            alone = alone and (arcs.single[arcs.person[i]] or is_known[arcs.person[i]])
        if alone:
            _bound(t, arcs, value, is_known, high)
            for i in range(arcs.starts[t], arcs.starts[t + 1]):
                inside[arcs.person[i]] = True
