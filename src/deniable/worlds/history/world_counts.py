"""How many worlds give each open person each value, part by part.

Parts are independent and a world counts once, whatever its counterfeits. Within a part people choose one after the
other. A state is what is left of the seats that somebody still to come may use, a column for each value; states that
differ by exchanging values that are alike are one state. With F the ways to reach a state and B the ways to go on,
worlds(person has v) = sum of F * B behind v. Doubles: while the number of all worlds is below 2^53 they are exact, as
no number on the way to a world passes it; above, each of T transitions adds at most two roundings to any of them, so
(4 T + 8) 2^-53 bounds the relative error of a share. Where worlds weigh differently, each transition has a weight,
which was rounded once, and one product more: (8 T + 8) 2^-53. No product of weights underflows: of a part in which one
could, nothing is counted.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Floats, Int64s
from deniable.worlds.history.choices import Choices
from deniable.worlds.history.counting_plan import PEOPLE, VALUES, classify, forget, lay_out

_CELLS = 1 << 21  # columns of all states of one part
_EDGES = 8  # transitions for each state, on average
_TABLE = 1 << 17  # places in the hash table of one layer's states; a layer may have half as many
_EXACT = 2.0**53
_MOST = 1e300
LEAST = -600.0  # logarithm of what a world may weigh: below 1e-300 numbers lose digits


class Room(NamedTuple):
    """Room for the states of one part at a time."""

    cells: Int64s  # the columns of each state, one state after the other
    ways: Floats
    behind: Floats
    layers: Int64s  # where each turn's states start
    edges: Int64s  # where each state's transitions start
    into: Int64s
    times: Int64s  # how many values make this transition
    kind: Int64s  # their class
    column: Int64s  # their column before
    table: Int64s  # state at a place
    stamps: Int64s  # layer of that state
    tops: Int64s  # states, transitions, the last stamp
    columns: Int64s  # of a state, and of one that follows it
    after: Int64s
    found: Floats  # worlds of each turn and class


class WorldCounts(NamedTuple):
    """Worlds of each literal and of each part, or what they weigh, up to a factor for the part, and the relative error
    of their ratios.

    A part with total 0 was not counted, one with -1 has no world; error 0 is exact.
    """

    ways: Floats
    totals: Floats
    error: Floats


def nothing_counted(choices: Choices) -> WorldCounts:
    """Before any part is counted."""
    parts = len(choices.parts) - 1
    return WorldCounts(np.zeros(len(choices.value)), np.zeros(parts), np.zeros(parts))


def state_room(states: int) -> Room:
    """Room for so many states."""
    into, times, kind, column = np.zeros((4, _EDGES * states + 64), np.int64)
    return Room(
        np.zeros(_CELLS, np.int64),
        np.zeros(states + 1),
        np.zeros(states + 1),
        np.zeros(PEOPLE + 2, np.int64),
        np.zeros(states + 2, np.int64),
        into,
        times,
        kind,
        column,
        np.zeros(_TABLE, np.int64),
        np.full(_TABLE, -1, np.int64),
        np.zeros(3, np.int64),
        np.zeros(VALUES, np.int64),
        np.zeros(VALUES, np.int64),
        np.zeros((PEOPLE, VALUES)),
    )


@kernel()
def _sort(columns, first, classes):  # type: ignore[no-untyped-def]
    """Sort the columns of each class, in place; they nearly are."""
    for a in range(classes):
        for i in range(first[a] + 1, first[a + 1]):
            column, j = columns[i], i
            while j > first[a] and columns[j - 1] > column:
                columns[j] = columns[j - 1]
                j -= 1
            columns[j] = column


@kernel()
def _find(columns, many, room):  # type: ignore[no-untyped-def]
    """The number of a state in the layer with the last stamp: an old one or the next one; -1: no room."""
    cells, stamps, stamp = room.cells, room.stamps, room.tops[2]
    key = np.uint64(0)
    for i in range(many):
        key = (key ^ np.uint64(columns[i])) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
    place = np.int64(key & np.uint64(_TABLE - 1))
    while stamps[place] == stamp:
        state, i = room.table[place], 0
        while i < many and cells[state * many + i] == columns[i]:
            i += 1
        if i == many:
            return state
        place = (place + 1) & (_TABLE - 1)
    state = room.tops[0]
    if state + 1 >= len(room.ways) or (state + 1) * many > len(cells):
        return -1
    room.table[place], stamps[place] = state, stamp
    for i in range(many):
        cells[state * many + i] = columns[i]
    room.ways[state] = 0.0
    room.tops[0] += 1
    return state


@kernel()
def _leave(s, turn, plan, room):  # type: ignore[no-untyped-def]
    """All transitions from one state; False if there is no room."""
    many, classes, first = plan.sizes[1], plan.sizes[2], plan.first
    columns, after, ways, tops = room.columns, room.after, room.ways, room.tops
    for i in range(many):
        columns[i] = room.cells[s * many + i] + plan.opened[turn, plan.kind[i]]
    for a in range(classes):
        takes, guards = plan.takes[turn, a], plan.guards[turn, a]
        if takes < 0:
            continue
        i = first[a]
        while i < first[a + 1]:
            column, start = columns[i], i
            while i < first[a + 1] and columns[i] == column:
                i += 1
            if (column + plan.adds[turn, a]) & guards != guards:
                continue
            for j in range(many):
                after[j] = columns[j] & ~plan.closed[turn, plan.kind[j]]
            after[start] = (column - takes) & ~plan.closed[turn, a]
            _sort(after, first, classes)
            state, edge = _find(after, many, room), tops[1]
            if state < 0 or edge == len(room.into):
                return False
            ways[state] += ways[s] * ((i - start) * plan.weights[turn, a])
            if ways[state] > _MOST:
                return False
            room.into[edge], room.times[edge], room.kind[edge], room.column[edge] = state, i - start, a, column
            tops[1] += 1
    return True


@kernel()
def forward(plan, room):  # type: ignore[no-untyped-def]
    """States layer by layer, ways to reach them, and all transitions; False if they do not fit."""
    layers, tops, n = room.layers, room.tops, plan.sizes[0]
    for i in range(plan.sizes[1]):
        room.cells[i] = 0
    room.ways[0] = 1.0
    tops[0], tops[1] = 1, 0
    layers[0], layers[1] = 0, 1
    for turn in range(n):
        tops[2] += 1
        for s in range(layers[turn], layers[turn + 1]):
            room.edges[s] = tops[1]
            if not _leave(s, turn, plan, room) or tops[0] - layers[turn + 1] > _TABLE // 2:
                return False
        layers[turn + 2] = tops[0]
    room.edges[layers[n]] = tops[1]
    return True


@kernel()
def backward(plan, room):  # type: ignore[no-untyped-def]
    """Ways to go on from each state, and the worlds of each turn and class, in `found`; the number of all worlds."""
    layers, edges, behind, found, n = room.layers, room.edges, room.behind, room.found, plan.sizes[0]
    for s in range(layers[n], layers[n + 1]):
        behind[s] = 1.0
    for turn in range(n - 1, -1, -1):
        for a in range(plan.sizes[2]):
            found[turn, a] = 0.0
        for s in range(layers[turn], layers[turn + 1]):
            on = 0.0
            for e in range(edges[s], edges[s + 1]):
                ways = room.times[e] * plan.weights[turn, room.kind[e]] * behind[room.into[e]]
                on += ways
                found[turn, room.kind[e]] += room.ways[s] * ways
            behind[s] = on
    return behind[0]


@kernel()
def _enter(c, plan, found, counted):  # type: ignore[no-untyped-def]
    """Write down what was counted; values that are alike share."""
    for turn in range(plan.sizes[0]):
        q = plan.order[turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            a = plan.kind[plan.number[c.value[x]]]
            counted.ways[x] = found[turn, a] / (plan.first[a + 1] - plan.first[a])


@kernel()
def _equal(c, first, last, counted):  # type: ignore[no-untyped-def]
    """All values of a part are alike: whoever has a choice has all of them, and each is equally likely."""
    for turn in range(first, last):
        for x in range(c.offsets[c.order[turn]], c.offsets[c.order[turn] + 1]):
            counted.ways[x] = 1.0


@kernel()
def least_weight(c, first, last):  # type: ignore[no-untyped-def]
    """The logarithm of less than any world of a part weighs; 0 where all weigh alike."""
    total = 0.0
    for turn in range(first, last):
        q = c.order[turn]
        least = 1.0
        for x in range(c.offsets[q], c.offsets[q + 1]):
            least = min(least, c.weight[x])
        total += math.log(least) if least > 0.0 else -math.inf
    return total


@kernel()
def _count(c, first, last, part, plan, room, orders, counted):  # type: ignore[no-untyped-def]
    """Count one part, in the one order or the other; how many transitions that took.

    By arrival nobody's seats in several groups are left to different values, which is what makes dead ends.
    """
    made, least = 0, least_weight(c, first, last)
    is_weighted = least < 0.0
    if least < LEAST:
        return made
    for turn in range(2):
        room.tops[1] = 0
        fits = lay_out(c, first, last, turn == 0, plan)
        if fits and forward(plan, room):
            total = backward(plan, room)
            if total == 0.0:
                counted.totals[part] = -1.0
            elif total < _MOST:
                counted.totals[part] = total
                _enter(c, plan, room.found, counted)
                roundings = 8.0 if is_weighted else 4.0
                is_exact = total < _EXACT and not is_weighted
                counted.error[part] = 0.0 if is_exact else (roundings * room.tops[1] + 8.0) * 2.0**-53
            return made + room.tops[1]
        made += room.tops[1]
        if fits and orders == 1:
            return made
    return made


@kernel()
def tally(c, plan, room, parts, begin, steps, has_world, orders, counted):  # type: ignore[no-untyped-def]
    """Count these parts from place `begin` on until so many transitions were made; the place of the next one.

    `has_world`: it is known that there is one, so where all values are alike nothing needs to be counted. `orders`: 1
    if a part that has too many states in one order is not to be tried in the other.
    """
    made, place = 0, begin
    while place < len(parts) and made <= steps:
        part = parts[place]
        place += 1
        first, last = c.parts[part], c.parts[part + 1]
        if last - first > PEOPLE:
            continue
        fits = classify(c, first, last, plan)
        made += last - first
        if fits and plan.sizes[2] == 1 and has_world:
            counted.totals[part] = plan.sizes[1]
            _equal(c, first, last, counted)
        elif fits:
            made += _count(c, first, last, part, plan, room, orders, counted)
        forget(c, first, last, plan)
    return place
