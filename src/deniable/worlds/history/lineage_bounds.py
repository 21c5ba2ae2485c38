"""Upper bounds for the chance of the true value in lineages that have too many worlds to be counted; proved.

Exchange of people: those who enter and leave together and are not known are equally likely to have a value; of r such
people at most c have it where a state has c copies that are not known people's, so p <= c / r. Exchange of values: k
values that every state of a lineage has equally often and nobody known in it has are equally likely, so p <= 1 / k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s
from deniable.worlds.history.histories import NOTHING, History, KnownValues
from deniable.worlds.history.lineage_forest import Forest, forest, kinds_of_trees

_HEAVY = 8  # steps for each arc, node and kind of value


@frozen
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
    told = _told(arcs, truth[arcs.person].astype(np.int64), is_known)
    with work(_HEAVY * int(np.dot(np.diff(arcs.starts) + arcs.nodes, np.diff(told.starts)))):
        _bound_all(arcs, told, found.high, found.inside)
    found.high[is_known] = 1.0
    return found


class _Told(NamedTuple):
    """Of each arc: the place of its value among the different ones of its tree, and whether the person is known."""

    starts: Int64s  # of the different values of each tree
    kind: Int64s
    is_known: Bools
    order: Int64s  # arcs, tree by tree: those who enter and leave together are side by side
    room: Int64s  # two tables for one tree, nodes times kinds: `more` and `held`
    alike: Int64s  # of each kind
    has_known: Bools  # of each kind


def _told(arcs: Forest, value: Int64s, is_known: Bools) -> _Told:
    _, starts, kind = kinds_of_trees(arcs, value)
    tree = np.repeat(np.arange(len(arcs.nodes)), np.diff(arcs.starts))
    order = np.lexsort((arcs.head, arcs.tail, tree))
    many = np.diff(starts)
    room = np.zeros((2, int((arcs.nodes * many).max(initial=0))), np.int64)
    most = int(many.max(initial=0))
    return _Told(starts, kind, is_known[arcs.person], order, room, np.zeros(most, np.int64), np.zeros(most, np.bool_))


@kernel()
def _tables(t, kinds, arcs, told):  # type: ignore[no-untyped-def]
    """How many more people with each value leave at each node than enter; unknown holders in the state from there."""
    more, held, tail, head = told.room[0], told.room[1], arcs.tail, arcs.head
    for i in range(arcs.nodes[t] * kinds):
        more[i] = held[i] = 0
    for i in range(arcs.starts[t], arcs.starts[t + 1]):
        v = told.kind[i]
        more[head[i] * kinds + v] += 1
        more[tail[i] * kinds + v] -= 1
        if not told.is_known[i]:
            held[tail[i] * kinds + v] += 1
            held[head[i] * kinds + v] -= 1
    for node in range(arcs.nodes[t] - 1, 0, -1):  # states come before the one that follows them
        into = arcs.into[arcs.node_starts[t] + node]
        for v in range(kinds):
            held[into * kinds + v] += held[node * kinds + v]


@kernel()
def _count_alike(t, kinds, arcs, told):  # type: ignore[no-untyped-def]
    """How many values can be exchanged for each one, itself included; 1 for values that somebody known has."""
    more, alike, has_known = told.room[0], told.alike, told.has_known
    for v in range(kinds):
        alike[v], has_known[v] = 1, False
    for i in range(arcs.starts[t], arcs.starts[t + 1]):
        if told.is_known[i]:
            has_known[told.kind[i]] = True
    for v in range(kinds):
        for w in range(v):
            if has_known[v] or has_known[w]:
                continue
            node = 0
            while node < arcs.nodes[t] and more[node * kinds + v] == more[node * kinds + w]:
                node += 1
            if node == arcs.nodes[t]:
                alike[v] += 1
                alike[w] += 1


@kernel()
def _bound(t, arcs, told, high):  # type: ignore[no-untyped-def]
    """Bounds for the people of a tree."""
    order, tail, head, held, kinds = told.order, arcs.tail, arcs.head, told.room[1], told.starts[t + 1] - told.starts[t]
    _tables(t, kinds, arcs, told)
    _count_alike(t, kinds, arcs, told)
    begin, last = arcs.starts[t], arcs.starts[t + 1]
    while begin < last:
        end, together, like = begin, 0, order[begin]
        while end < last and tail[order[end]] == tail[like] and head[order[end]] == head[like]:
            if not told.is_known[order[end]]:
                together += 1
            end += 1
        for place in range(begin, end):
            i = order[place]
            v, node, copies = told.kind[i], tail[i], together
            while node != head[i]:
                copies = min(copies, held[node * kinds + v])
                node = arcs.into[arcs.node_starts[t] + node]
            high[arcs.person[i]] = min(1.0 / told.alike[v], copies / max(together, 1))
        begin = end


@kernel()
def _bound_all(arcs, told, high, inside):  # type: ignore[no-untyped-def]
    for t in range(len(arcs.nodes)):
        alone = True
        for i in range(arcs.starts[t], arcs.starts[t + 1]):
            alone = alone and (arcs.single[arcs.person[i]] or told.is_known[i])
        if alone:
            _bound(t, arcs, told, high)
            for i in range(arcs.starts[t], arcs.starts[t + 1]):
                inside[arcs.person[i]] = True
