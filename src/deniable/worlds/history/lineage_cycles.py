"""How many values stay possible for each person of a history of stable groups, from both sides, by cycles.

Let some people take a value and others give it up. No state's count of it changes if and only if the takers' arcs
forward and the givers' arcs backward (`lineage_forest`) are a circulation, since a forest has no cycle of its own.
So of a directed cycle of holders of a (forward) and of b (backward), nobody known, everybody has a and b in two worlds;
and whoever is in no cycle of holders of a and, in the other direction, of all others who may have a, has a in every
world or in none. Worlds that exchanges lead to are worlds to exchange in: that shows values that the true one does not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import kernel, work
from deniable.worlds.arrays import Int32s, Int64s
from deniable.worlds.history.histories import NOTHING, History, KnownValues, Words, candidates, counts
from deniable.worlds.history.lineage_forest import Forest, forest, kinds_of_trees

ROUNDS = 100  # of wandering to other worlds until all values that are left were seen
_PATIENCE = 50  # rounds in which nothing new is seen, after which one gives up
_LARGE = 4_000_000  # rounds times the square of the people of a tree up to which one wanders in it
_HEAVY = 2  # steps for each arc and node and each pair of the values of a tree
_ALONE = 0.25  # of the arcs at least are people in one tree; else groups do not stay, and cycles tell little
_STAYS, _ASKS, _MOVES = 0, 1, 2  # known, or in a tree twice or in groups that are no states; in several trees; in one


@frozen
class Between:
    """Rows of bits for each person: the values they have in some world, and those that are not excluded."""

    seen: Words
    left: Words

    @property
    def least(self) -> Int32s:
        """At least so many values are possible."""
        return counts(self.seen)

    @property
    def most(self) -> Int32s:
        """At most so many values are possible."""
        return counts(self.left)


class _Room(NamedTuple):
    """For a graph: its arcs with the place of each among the forest's, and a search from node to node."""

    arc: Int64s
    tail: Int64s
    head: Int64s
    after: Int64s
    first: Int64s
    found: Int64s
    low: Int64s
    label: Int64s
    calls: Int64s
    waiting: Int64s


def possible_values(history: History, truth: Int32s, known: KnownValues = NOTHING, rounds: int = ROUNDS) -> Between:
    """What stays possible for everybody; `truth` is a world that fits what is known.

    With 0 rounds one wanders only where somebody may have two values and one was seen.
    """
    arcs = forest(history)
    left = candidates(history, known)
    widest, nodes = int(np.diff(arcs.starts).max(initial=0)), int(arcs.nodes.max(initial=0))
    room = _Room(*np.empty((4, widest), np.int64), *np.empty((6, nodes), np.int64))
    value = truth[arcs.person].astype(np.int64)
    role = np.where(arcs.single, _MOVES, np.where(arcs.apart, _ASKS, _STAYS))
    role[known.people] = _STAYS
    seen = np.zeros((len(value), left.shape[1]), np.uint64)
    seen[np.arange(len(value)), value >> 6] = np.uint64(1) << (value & 63).astype(np.uint64)
    if np.count_nonzero(arcs.single) > _ALONE * len(value):
        kinds, starts, _ = kinds_of_trees(arcs, value)
        many = np.diff(starts) ** 2
        with work(_HEAVY * int(np.dot(np.diff(arcs.starts) + arcs.nodes, many))):
            rng = np.random.default_rng(0)
            _go_round(arcs, kinds, starts, value, role[arcs.person], left, seen, rounds, rng, room)
    everywhere = np.where((np.diff(history.memberships[0]) == 0)[:, None], left, np.uint64(0))
    everywhere[np.arange(history.people), truth >> 6] |= np.uint64(1) << (truth & 63).astype(np.uint64)
    _intersect(arcs, seen, everywhere)
    return Between(everywhere, left)


def _intersect(arcs: Forest, seen: Words, everywhere: Words) -> None:
    """Enter the values that were seen on all arcs of each person."""
    by_person = np.argsort(arcs.person, kind="stable")
    first = np.flatnonzero(np.diff(arcs.person[by_person], prepend=-1))
    if len(first):
        everywhere[arcs.person[by_person[first]]] = np.bitwise_and.reduceat(seen[by_person], first, axis=0)


@kernel()
def _has(words, p, v):  # type: ignore[no-untyped-def]
    return (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1) == np.uint64(1)


@kernel()
def _is_open(words, p):  # type: ignore[no-untyped-def]
    """Whether more than one value is left."""
    found = False
    for w in range(words.shape[1]):
        x = words[p, w]
        if x != 0 and (found or x & (x - np.uint64(1)) != 0):
            return True
        found = found or x != 0
    return False


@kernel()
def _add(i, forward, place, arcs, room):  # type: ignore[no-untyped-def]
    """Enter an arc of the forest into the graph."""
    room.arc[place], room.tail[place], room.head[place] = i, arcs.tail[i], arcs.head[i]
    if not forward:
        room.tail[place], room.head[place] = arcs.head[i], arcs.tail[i]


@kernel()
def _list_arcs(nodes, many, room):  # type: ignore[no-untyped-def]
    """The arcs of the graph by the node that they start from; nothing is found yet."""
    for v in range(nodes):
        room.first[v] = room.found[v] = -1
    for e in range(many):
        v = room.tail[e]
        room.after[e] = room.first[v]
        room.first[v] = e


@kernel()
def _connect(nodes, arcs, room):  # type: ignore[no-untyped-def]
    """Label nodes that are in cycles together (strongly connected) alike: Tarjan's search without recursion."""
    _list_arcs(nodes, arcs, room)
    first, after, head, found, low = room.first, room.after, room.head, room.found, room.low
    label, calls, waiting = room.label, room.calls, room.waiting
    for v in range(nodes):
        label[v] = -1
    time, pending = 0, 0
    for root in range(nodes):
        if found[root] >= 0:
            continue
        depth, fresh = 0, root
        while True:
            if fresh >= 0:
                found[fresh] = low[fresh] = time
                calls[depth] = waiting[pending] = fresh
                time, depth, pending, fresh = time + 1, depth + 1, pending + 1, -1
            v = calls[depth - 1]
            e = first[v]
            if e >= 0:
                first[v] = after[e]
                w = head[e]
                if found[w] < 0:
                    fresh = w
                elif label[w] < 0:
                    low[v] = min(low[v], found[w])
                continue
            depth -= 1
            if low[v] == found[v]:
                while label[v] < 0:
                    pending -= 1
                    label[waiting[pending]] = v
            if depth == 0:
                break
            w = calls[depth - 1]
            low[w] = min(low[w], low[v])


@kernel()
def _exclude_one(t, v, arcs, value, left, room):  # type: ignore[no-untyped-def]
    """Exclude value v, or all others, for people of a tree who are in no cycle; whether anything changed."""
    many = 0
    for i in range(arcs.starts[t], arcs.starts[t + 1]):
        p = arcs.person[i]
        if _has(left, p, v) and _is_open(left, p):
            _add(i, value[i] == v, many, arcs, room)
            many += 1
    _connect(arcs.nodes[t], many, room)
    changed = False
    for e in range(many):
        if room.label[room.tail[e]] != room.label[room.head[e]]:
            p, bit = arcs.person[room.arc[e]], np.uint64(1) << np.uint64(v & 63)
            if value[room.arc[e]] == v:
                for w in range(left.shape[1]):
                    left[p, w] = 0
                left[p, v >> 6] = bit
            else:
                left[p, v >> 6] &= ~bit
            changed = True
    return changed


@kernel()
def _exclude(t, kinds, arcs, value, left, room):  # type: ignore[no-untyped-def]
    """Exclude values of a tree, until nothing changes there."""
    changed = True
    while changed:
        changed = False
        for v in kinds:
            if _exclude_one(t, v, arcs, value, left, room):
                changed = True


@kernel()
def _graph(t, a, b, turn, arcs, value, role, room):  # type: ignore[no-untyped-def]
    """The holders of a forward and of b backward who may move, beginning somewhere; how many."""
    size, many = arcs.starts[t + 1] - arcs.starts[t], 0
    for j in range(size):
        i = arcs.starts[t] + (j + turn) % size
        if role[i] == _MOVES and (value[i] == a or value[i] == b):
            _add(i, value[i] == a, many, arcs, room)
            many += 1
    return many


@kernel()
def _search(source, target, nodes, many, room):  # type: ignore[no-untyped-def]
    """Whether there is a way from source to target; `found` then has the last arc of a shortest way to each node."""
    _list_arcs(nodes, many, room)
    found, calls = room.found, room.calls
    calls[0] = source
    place, length = 0, 1
    while place < length and found[target] < 0:
        e = room.first[calls[place]]
        while e >= 0:
            w = room.head[e]
            if w != source and found[w] < 0:
                found[w] = e
                calls[length] = w
                length += 1
            e = room.after[e]
        place += 1
    return found[target] >= 0


@kernel()
def _mark(i, v, seen):  # type: ignore[no-untyped-def]
    """Whether the value is new on this arc; now it is seen."""
    bit = np.uint64(1) << np.uint64(v & 63)
    new = seen[i, v >> 6] & bit == np.uint64(0)
    seen[i, v >> 6] |= bit
    return new


@kernel()
def _see(t, kinds, arcs, value, role, seen, room):  # type: ignore[no-untyped-def]
    """Mark the values for which arcs of a tree can exchange theirs in one cycle; whether any is new.

    While people in several trees keep their values, worlds are products over trees. So one of them has another value
    in some world if cycles with people of one tree only allow it in each of their trees, wherever one wandered there.
    """
    news = False
    for j in range(len(kinds)):
        for k in range(j):
            a, b = kinds[j], kinds[k]
            many = _graph(t, a, b, 0, arcs, value, role, room)
            _connect(arcs.nodes[t], many, room)
            for e in range(many):
                if room.label[room.tail[e]] == room.label[room.head[e]]:
                    news = _mark(room.arc[e], a + b - value[room.arc[e]], seen) or news
            for i in range(arcs.starts[t], arcs.starts[t + 1]):
                if role[i] != _ASKS or not (value[i] == a or value[i] == b) or _has(seen, i, a + b - value[i]):
                    continue
                source, target = arcs.head[i], arcs.tail[i]
                if value[i] == b:
                    source, target = target, source
                if _search(source, target, arcs.nodes[t], many, room):
                    news = _mark(i, a + b - value[i], seen) or news
    return news


@kernel()
def _exchange(a, b, nodes, many, value, room):  # type: ignore[no-untyped-def]
    """Exchange a and b along a shortest cycle through the graph's first arc, if there is one."""
    source, at = room.head[0], room.tail[0]
    if not _search(source, at, nodes, many, room):
        return
    value[room.arc[0]] = a + b - value[room.arc[0]]
    while at != source:
        e = room.found[at]
        value[room.arc[e]] = a + b - value[room.arc[e]]
        at = room.tail[e]


@kernel()
def _is_settled(t, enough, arcs, role, left, seen):  # type: ignore[no-untyped-def]
    """Whether on every arc of a tree all values that are left were seen, or two if that is enough."""
    for i in range(arcs.starts[t], arcs.starts[t + 1]):
        if role[i] == _STAYS or (enough and _is_open(seen, i)):
            continue
        for w in range(left.shape[1]):
            if seen[i, w] != left[arcs.person[i], w]:
                return False
    return True


@kernel()
def _explore(t, kinds, arcs, value, role, left, seen, rounds, rng, room):  # type: ignore[no-untyped-def]
    """Mark the values that people have in worlds one exchange away, and wander on as far as that leaves open."""
    size = arcs.starts[t + 1] - arcs.starts[t]
    _see(t, kinds, arcs, value, role, seen, room)
    turn, idle = 0, 0
    while (
        idle < _PATIENCE and turn * size * size < _LARGE and not _is_settled(t, turn >= rounds, arcs, role, left, seen)
    ):
        for _ in range(min(size, 128) // 8 + 1):
            a, b = kinds[rng.integers(0, len(kinds))], kinds[rng.integers(0, len(kinds))]
            many = _graph(t, a, b, rng.integers(0, size), arcs, value, role, room) if a != b else 0
            if many > 0:
                _exchange(a, b, arcs.nodes[t], many, value, room)
        idle = 0 if _see(t, kinds, arcs, value, role, seen, room) else idle + 1
        turn += 1


@kernel()
def _go_round(arcs, kinds, starts, value, role, left, seen, rounds, rng, room):  # type: ignore[no-untyped-def]
    """Exclude and mark values tree by tree; the different values of each tree are at `starts` in `kinds`."""
    for t in range(len(arcs.nodes)):
        _exclude(t, kinds[starts[t] : starts[t + 1]], arcs, value, left, room)
    for t in range(len(arcs.nodes)):
        _explore(t, kinds[starts[t] : starts[t + 1]], arcs, value, role, left, seen, rounds, rng, room)
