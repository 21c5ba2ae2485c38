"""`history_counts`, compiled: worlds of parts whose copies left fit one machine word and whose counts fit another.

The same states and turns. Numbers are exact: a part in which any count could pass
2^61, or with too many states, is left uncounted.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deniable.worlds.history_search import EXCLUDED

_BITS = 62
_MOST = 1 << 61
_PEOPLE = 200  # in a part that is counted
_TABLE = 1 << 16  # places in the hash table of one layer's states; a layer may have half as many


@njit(cache=True)
def _pack(c, status, first, last, at, wide, final):  # type: ignore[no-untyped-def]
    """Give the seats of a part places in a word and find who uses each last; the first state, -1 if it is too long."""
    bits, start = 0, np.int64(0)
    for turn in range(first, last):
        q = c.order[turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            if status[x] == EXCLUDED:
                continue
            for i in range(c.use_offsets[x], c.use_offsets[x + 1]):
                seat = c.uses[i]
                final[seat] = turn
                if at[seat] >= 0:
                    continue
                width = 0
                while c.left[seat] >> width:
                    width += 1
                if bits + width > _BITS:
                    return np.int64(-1)
                at[seat] = bits
                wide[seat] = ((np.int64(1) << width) - 1) << bits
                start |= np.int64(c.left[seat]) << bits
                bits += width
    return start


@njit(cache=True)
def _after(c, x, turn, state, at, wide, final):  # type: ignore[no-untyped-def]
    """The state behind a literal, without seats nobody uses later; -1 if one is full."""
    for i in range(c.use_offsets[x], c.use_offsets[x + 1]):
        if not state & wide[c.uses[i]]:
            return np.int64(-1)
        state -= np.int64(1) << at[c.uses[i]]
    q = c.order[turn]
    for i in range(c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]):
        if final[c.uses[i]] == turn:
            state &= ~wide[c.uses[i]]
    return state


@njit(cache=True)
def _place(state, layer, keys, stamps):  # type: ignore[no-untyped-def]
    """Where the state is in the layer's hash table, or would be."""
    place = (np.uint64(state) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(48)
    while stamps[place] == layer and keys[place] != state:
        place = (place + np.uint64(1)) & np.uint64(_TABLE - 1)
    return place


@njit(cache=True)
def _forward(c, status, first, last, most, room, table):  # type: ignore[no-untyped-def]
    """States layer by layer, ways to reach them, and where each literal leads; False if they do not fit."""
    states, ways, layers, lead, at, wide, final = room
    keys, stamps, numbers = table
    start = _pack(c, status, first, last, at, wide, final)
    if start < 0:
        return False
    states[0], ways[0], layers[0], layers[1], filled = start, 1, 0, 1, 1
    for turn in range(first, last):
        q, layer = c.order[turn], turn  # turns are numbered through all parts
        for s in range(layers[turn - first], layers[turn - first + 1]):
            for x in range(c.offsets[q], c.offsets[q + 1]):
                option = x - c.offsets[q]
                lead[s, option] = -1
                state = np.int64(-1)
                if status[x] != EXCLUDED:
                    state = _after(c, x, turn, states[s], at, wide, final)
                if state < 0:
                    continue
                place = _place(state, layer, keys, stamps)
                if stamps[place] != layer:
                    if filled == most or filled - layers[turn - first + 1] >= _TABLE // 2:
                        return False
                    stamps[place], keys[place], numbers[place] = layer, state, filled
                    states[filled], ways[filled] = state, 0
                    filled += 1
                ways[numbers[place]] += ways[s]
                lead[s, option] = numbers[place]
                if ways[numbers[place]] > _MOST:
                    return False
        layers[turn - first + 2] = filled
    return True


@njit(cache=True)
def _backward(c, first, last, room, behind, found):  # type: ignore[no-untyped-def]
    """Fill in the worlds of each literal; the number of all worlds, 0 if it is too large."""
    _, ways, layers, lead, _, _, _ = room
    people = last - first
    total = np.int64(0)
    for s in range(layers[people], layers[people + 1]):
        behind[s] = 1
        total += ways[s]
        if total > _MOST:
            return np.int64(0)
    for turn in range(people - 1, -1, -1):
        q = c.order[first + turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            found[x] = 0
        for s in range(layers[turn], layers[turn + 1]):
            behind[s] = 0
            for x in range(c.offsets[q], c.offsets[q + 1]):
                after = lead[s, x - c.offsets[q]]
                if after >= 0:
                    behind[s] += behind[after]
                    found[x] += ways[s] * behind[after]
    return total


@njit(cache=True)
def tally(c, status, begin, end, most, widest, found, totals):  # type: ignore[no-untyped-def]
    """Count the worlds of the literals of some parts, and of these parts; 0 stays for parts that were not counted."""
    seats = len(c.left)
    room = (
        np.empty(most + 1, np.int64),
        np.empty(most + 1, np.int64),
        np.empty(most + 3, np.int64),
        np.empty((most + 1, widest), np.int32),
        np.full(seats, -1, np.int32),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
    )
    table = np.empty(_TABLE, np.int64), np.full(_TABLE, -1, np.int64), np.empty(_TABLE, np.int64)
    behind = np.empty(most + 1, np.int64)
    for part in range(begin, end):
        first, last = c.parts[part], c.parts[part + 1]
        if last - first <= min(_PEOPLE, most) and _forward(c, status, first, last, most, room, table):
            totals[part] = _backward(c, first, last, room, behind, found)
