"""Values that a history excludes for each person, by propagation to a fixpoint; compiled.

Within a group: a value stays possible for a member only if the rest can be matched to the values left (Regin's filter).
Two groups with members A+C and B+C and values S, T: with c(v) the number of C's members who have v, and the
counterfeits at most K and L, S(v) - K - |A may have v| <= c(v) <= S(v) - |A surely has v|, the same for B and T;
so C, A and B each have bounds for every value, and the same filter applies. Nothing that is possible is excluded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.worlds.arrays import Int64s
from deniable.worlds.history.equations import PAIRED, Equations, equations
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, Words, candidates, counts
from deniable.worlds.history.regin_filter import LOCAL, narrow


def propagate(history: History, known: KnownValues = NOTHING) -> tuple[Words, Equations]:
    """The values left to each person, as rows of bits, and the equations that say so."""
    system = equations(history)
    words = candidates(history, known)
    if not counts(words).all() or not _run(system, words, _space(system, words.shape[1])):
        raise NoWorld("no assignment of values fits all releases and what is known")
    return words, system


class _Space(NamedTuple):
    """Room for one filter."""

    masks: Words
    local: Int64s
    low: Int64s
    high: Int64s
    at: Int64s
    taken: Int64s
    into: Int64s
    queue: Int64s
    bounds: Int64s  # eight rows: copies in both groups (_union), then _tally
    row: Words


def _space(system: Equations, width: int) -> _Space:
    most = max(int(np.diff(system.member_offsets).max(initial=0)), PAIRED)
    each = max(int(np.diff(system.value_offsets).max(initial=0)), 2 * LOCAL) + 2
    local, low, high, taken, into, queue = np.zeros((6, each), np.int64)
    masks, at = np.zeros(most, np.uint64), np.zeros(most, np.int64)
    bounds, row = np.zeros((8, each), np.int64), np.zeros(width, np.uint64)
    return _Space(masks, local, low, high, at, taken, into, queue, bounds, row)


@njit(cache=True)
def _bits(x):  # type: ignore[no-untyped-def]
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def only_value(words, p):  # type: ignore[no-untyped-def]
    """The person's value if one is left; -1 if several, -2 if none."""
    found = -2
    for w in range(words.shape[1]):
        x = words[p, w]
        if x == 0:
            continue
        if found != -2 or x & (x - np.uint64(1)):
            return -1
        found = 64 * w + _bits(x - np.uint64(1))
    return found


@njit(cache=True)
def _mask(words, p, local, k):  # type: ignore[no-untyped-def]
    """The person's values among local[:k], as bits."""
    mask = np.uint64(0)
    for t in range(k):
        v = local[t]
        mask |= ((words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1)) << np.uint64(t)
    return mask


@njit(cache=True)
def _keep(words, p, mask, local, k, row):  # type: ignore[no-untyped-def]
    """Leave the person only the values of the mask; whether that changed anything."""
    row[:] = 0
    for t in range(k):
        if (mask >> np.uint64(t)) & np.uint64(1):
            v = local[t]
            row[v >> 6] |= np.uint64(1) << np.uint64(v & 63)
    changed = False
    for w in range(len(row)):
        both = words[p, w] & row[w]
        changed = changed or both != words[p, w]
        words[p, w] = both
    return changed


@njit(cache=True)
def _settle(g, system, words, members, ends, left):  # type: ignore[no-untyped-def]
    """Move members with one value left behind the others, and take their copies away; False: none is left to take."""
    i = system.member_offsets[g]
    while i < ends[g]:
        v = only_value(words, members[i])
        if v == -1:
            i += 1
            continue
        j = system.value_offsets[g]
        while j < system.value_offsets[g + 1] and system.values[j] != v:
            j += 1
        if j == system.value_offsets[g + 1] or left[j] == 0:
            return False
        left[j] -= 1
        ends[g] -= 1
        members[i], members[ends[g]] = members[ends[g]], members[i]
    return True


@njit(cache=True)
def _exhausted(g, system, words, members, ends, left, changed):  # type: ignore[no-untyped-def]
    """`_visit` for more different values than a mask has bits: exclude only values without a copy left."""
    first, last, found = system.member_offsets[g], ends[g], 0
    while True:
        before = ends[g]
        for i in range(first, ends[g]):
            for j in range(system.value_offsets[g], system.value_offsets[g + 1]):
                v = system.values[j]
                if left[j] == 0:
                    words[members[i], v >> 6] &= ~(np.uint64(1) << np.uint64(v & 63))
        if not _settle(g, system, words, members, ends, left):
            return -1
        if ends[g] == before:
            break
    for i in range(first, last):  # whoever may have changed
        changed[found] = members[i]
        found += 1
    return found


@njit(cache=True)
def _visit(g, system, words, members, ends, left, space, changed):  # type: ignore[no-untyped-def]
    """Filter one group; how many people changed (listed in `changed`), or -1 for a contradiction."""
    if not _settle(g, system, words, members, ends, left):
        return -1
    first = system.member_offsets[g]
    k = 0
    for j in range(system.value_offsets[g], system.value_offsets[g + 1]):
        if left[j] > 0:
            if k < LOCAL:
                space.local[k] = system.values[j]
                space.high[k] = left[j]
                space.low[k] = 0
            k += 1
    if k > LOCAL:
        return _exhausted(g, system, words, members, ends, left, changed)
    n, found = ends[g] - first, 0
    full = True
    for i in range(n):
        space.masks[i] = _mask(words, members[first + i], space.local, k)
        full = full and space.masks[i] == (np.uint64(1) << np.uint64(k)) - np.uint64(1)
    if not full and not narrow(
        n, k, space.masks, space.low, space.high, space.at, space.taken, space.into, space.queue
    ):
        return -1
    for i in range(n):
        if _keep(words, members[first + i], space.masks[i], space.local, k, space.row):
            changed[found] = members[first + i]
            found += 1
    return found


@njit(cache=True)
def _union(g, h, system, space):  # type: ignore[no-untyped-def]
    """The values of both groups into `local`, their copies into bounds 0 and 1; how many, at most LOCAL + 1."""
    i, j, k = system.value_offsets[g], system.value_offsets[h], 0
    last, end = system.value_offsets[g + 1], system.value_offsets[h + 1]
    while (i < last or j < end) and k <= LOCAL:
        v = system.values[i] if i < last else system.values[j]
        if j < end:
            v = min(v, system.values[j])
        space.local[k] = v
        space.bounds[0, k] = space.bounds[1, k] = 0
        if i < last and system.values[i] == v:
            space.bounds[0, k] = system.copies[i]
            i += 1
        if j < end and system.values[j] == v:
            space.bounds[1, k] = system.copies[j]
            j += 1
        k += 1
    return k


@njit(cache=True)
def _split(g, h, system, side, parts, sizes):  # type: ignore[no-untyped-def]
    """People only in g, only in h, in both, as three lists; `side` is 0 for everyone before and after."""
    sizes[:] = 0
    for i in range(system.member_offsets[h], system.member_offsets[h + 1]):
        side[system.members[i]] = 1
    for i in range(system.member_offsets[g], system.member_offsets[g + 1]):
        p = system.members[i]
        part = 2 if side[p] == 1 else 0
        side[p] = 0
        parts[part, sizes[part]] = p
        sizes[part] += 1
    for i in range(system.member_offsets[h], system.member_offsets[h + 1]):
        p = system.members[i]
        if side[p] == 1:
            parts[1, sizes[1]] = p
            sizes[1] += 1
        side[p] = 0


@njit(cache=True)
def _tally(words, parts, sizes, k, space):  # type: ignore[no-untyped-def]
    """How many people of each part surely have each value (bounds 2, 3, 4) and may have it (5, 6, 7)."""
    space.bounds[2:, :k] = 0
    for part in range(3):
        for i in range(sizes[part]):
            mask = _mask(words, parts[part, i], space.local, k)
            single = mask & (mask - np.uint64(1)) == 0
            for t in range(k):
                if (mask >> np.uint64(t)) & np.uint64(1):
                    space.bounds[5 + part, t] += 1
                    space.bounds[2 + part, t] += single


@njit(cache=True)
def _says_more(fakes, k, space):  # type: ignore[no-untyped-def]
    """Whether the two groups bound what they share differently; else each group's own filter says as much."""
    bounds = space.bounds
    for t in range(k):
        low, high = bounds[4, t], bounds[7, t]
        if min(high, bounds[0, t] - bounds[2, t]) != min(high, bounds[1, t] - bounds[3, t]):
            return True
        if max(low, bounds[0, t] - fakes[0] - bounds[5, t]) != max(low, bounds[1, t] - fakes[1] - bounds[6, t]):
            return True
    return False


@njit(cache=True)
def _limits(part, fakes, k, space):  # type: ignore[no-untyped-def]
    """How many of one part have each value, from the tally; False if no number is possible."""
    bounds = space.bounds
    for t in range(k):
        low, high = bounds[4, t], bounds[7, t]
        for s in range(2):
            low = max(low, bounds[s, t] - fakes[s] - bounds[5 + s, t])
            high = min(high, bounds[s, t] - bounds[2 + s, t])
        if low > high:
            return False
        space.low[t] = low if part == 2 else max(0, bounds[part, t] - fakes[part] - high)
        space.high[t] = high if part == 2 else bounds[part, t] - low
    return True


@njit(cache=True)
def _visit_pair(g, h, system, words, side, parts, space, changed):  # type: ignore[no-untyped-def]
    """Filter what two groups share and what they do not; as `_visit`."""
    k = _union(g, h, system, space)
    if k > LOCAL:
        return 0
    sizes, fakes = np.zeros(3, np.int64), np.zeros(2, np.int64)
    _split(g, h, system, side, parts, sizes)
    _tally(words, parts, sizes, k, space)
    for s in range(2):
        fakes[s] = space.bounds[s, :k].sum() - sizes[s] - sizes[2]
    found = 0
    if not _says_more(fakes, k, space):
        return found
    for part in (2, 0, 1):
        n = sizes[part]
        for i in range(n):
            space.masks[i] = _mask(words, parts[part, i], space.local, k)
        if not _limits(part, fakes, k, space) or not narrow(
            n, k, space.masks, space.low, space.high, space.at, space.taken, space.into, space.queue
        ):
            return -1
        for i in range(n):
            if _keep(words, parts[part, i], space.masks[i], space.local, k, space.row):
                changed[found] = parts[part, i]
                found += 1
    return found


@njit(cache=True)
def _run(system, words, space):  # type: ignore[no-untyped-def]
    """Visit groups whose people changed, and pairs when no group is waiting; False: no world."""
    total, pairs = len(system.member_offsets) - 1, len(system.first)
    members, left, ends = system.members.copy(), system.copies.copy(), system.member_offsets[1:].copy()
    queue, waiting = np.arange(total), np.ones(total, np.bool_)
    first, length = 0, total
    later, delayed = np.arange(pairs), np.ones(pairs, np.bool_)
    start, many = 0, pairs
    side, parts = np.zeros(len(words), np.int8), np.empty((3, PAIRED), np.int32)
    changed = np.empty(max(len(space.masks), 3 * PAIRED), np.int32)
    while length or many:
        if length:
            g = queue[first]
            first, length = (first + 1) % total, length - 1
            waiting[g] = False
            found = _visit(g, system, words, members, ends, left, space, changed)
            for i in range(system.pair_offsets[g], system.pair_offsets[g + 1]):
                pair = system.pairs[i]
                if not delayed[pair]:
                    delayed[pair] = True
                    later[(start + many) % pairs] = pair
                    many += 1
        else:
            g = -1
            pair = later[start]
            start, many = (start + 1) % pairs, many - 1
            delayed[pair] = False
            found = _visit_pair(system.first[pair], system.second[pair], system, words, side, parts, space, changed)
        if found < 0:
            return False
        for c in range(found):
            p = changed[c]
            for i in range(system.group_offsets[p], system.group_offsets[p + 1]):
                h = system.groups[i]
                if h != g and not waiting[h]:
                    waiting[h] = True
                    queue[(first + length) % total] = h
                    length += 1
    return True
