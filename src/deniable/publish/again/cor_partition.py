"""Cor-Partition of Cor-Split (Riboni & Bettini, Figure 5): the units of a bucket become hc-safe groups, compiled.

A unit that is not hc-safe first swaps members of some values with a near one of its bucket; of all swaps that make
both safe the one with the least semiperimeter is taken. Else it is merged with a near group (weak m-uniqueness,
Definition 5). Else it gets one counterfeit of each value: at most s of then 2 s rows are
people, and s <= 2 s - n, so it is safe. Segments of a bucket are partitioned each for itself, in
parallel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.publish.again.hc_safety import is_safe
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s

_NEAR = 1  # groups on either side that are compared before the best one is taken
_REACH = 16  # groups on either side that are tried at all
_MOST = 4  # units in a merged group


class Segment(NamedTuple):
    """Neighbouring units of one bucket, copied side by side, and memory to try groups in.

    Unit u has slots[u * size : (u + 1) * size]: places in `codes`, `known` and `past`, -1 for a counterfeit.
    A group's units are a ring: `link` leads from one to the next, a unit alone leads to itself; -1: with a round of
    counterfeits.
    """

    size: int
    n: int
    slots: Int64s
    link: Int64s
    codes: Int32s
    scale: Floats
    known: Bools
    past: Int32s
    people: Int64s
    low: Int64s
    high: Int64s


@kernel()
def _width(part, u, is_first):  # type: ignore[no-untyped-def]
    """Stretch low and high over unit u (from nothing if it is the first); returns the semiperimeter."""
    total = 0.0
    low, high = part.low, part.high
    for c in range(len(part.scale)):
        least, most = (np.int64(2147483647), np.int64(-1)) if is_first else (low[c], high[c])
        for slot in range(u * part.size, (u + 1) * part.size):
            i = part.slots[slot]
            if i >= 0:
                code = np.int64(part.codes[i, c])
                least, most = min(least, code), max(most, code)
        low[c], high[c] = least, most
        total += (most - least) * part.scale[c]
    return total


@kernel()
def _gather(part, u, k):  # type: ignore[no-untyped-def]
    """Write unit u's people with a past to people[k:]; returns how many there are then."""
    for slot in range(u * part.size, (u + 1) * part.size):
        i = part.slots[slot]
        if i >= 0 and part.known[i]:
            part.people[k] = i
            k += 1
    return k


@kernel()
def _unit_is_safe(part, u):  # type: ignore[no-untyped-def]
    return is_safe(part.people, _gather(part, u, 0), part.size, part.n, part.past)


@kernel()
def _swap(part, u, other, run, length):  # type: ignore[no-untyped-def]
    """Exchange what two units have for `length` values, from place `run` on and around."""
    slots, size = part.slots, part.size
    for i in range(run, run + length):
        a, b = u * size + i % size, other * size + i % size
        slots[a], slots[b] = slots[b], slots[a]


@kernel()
def _exchange(part, u):  # type: ignore[no-untyped-def]
    """Swap members of unit u with a near unit so that both are safe; returns whether that was possible."""
    units, size = len(part.link), part.size
    best, found, found_run, found_length = np.inf, -1, 0, 0
    for distance in range(1, min(units, _REACH + 1)):
        if distance > _NEAR and found >= 0:
            break
        for other in (u - distance, u + distance):
            if other < 0 or other >= units or part.link[other] != other:
                continue
            before = _width(part, other, True)
            for length in range(1, min(size // 2, part.n) + 1):
                for run in range(size if 2 * length < size else length):
                    _swap(part, u, other, run, length)
                    cost = _width(part, u, True) - before
                    if cost < best:
                        cost += _width(part, other, True)
                    if cost < best and _unit_is_safe(part, u) and _unit_is_safe(part, other):
                        best, found, found_run, found_length = cost, other, run, length
                    _swap(part, u, other, run, length)
    if found >= 0:
        _swap(part, u, found, found_run, found_length)
    return found >= 0


@kernel()
def _merge(part, u):  # type: ignore[no-untyped-def]
    """Join unit u to the near group that is then safe and least wide; returns whether there is one."""
    units, link = len(part.link), part.link
    best, found = np.inf, -1
    for distance in range(1, min(units, _REACH + 1)):
        if distance > _NEAR and found >= 0:
            break
        for other in (u - distance, u + distance):
            if other < 0 or other >= units or link[other] < 0:
                continue
            k, width = _gather(part, u, 0), _width(part, u, True)
            member, joined = other, 1
            while joined <= _MOST:
                joined += 1
                if joined <= _MOST:
                    k, width = _gather(part, member, k), _width(part, member, False)
                member = link[member]
                if member == other:
                    break
            if joined <= _MOST and width < best and is_safe(part.people, k, joined * part.size, part.n, part.past):
                best, found = width, other
    if found >= 0:
        link[u], link[found] = link[found], u
    return found >= 0


@kernel()
def _side_by_side(start, units, size, slots, who, codes, scale, n, past):  # type: ignore[no-untyped-def]
    """Copy what a segment needs, so that trying is fast."""
    rows, columns, releases = units * size, codes.shape[1], past.shape[1]
    part = Segment(
        size, n, np.empty(rows, np.int64), np.empty(units, np.int64), np.empty((rows, columns), np.int32), scale,
        np.empty(rows, np.bool_), np.empty((rows, releases), np.int32),
        np.empty(size * _MOST, np.int64), np.empty(columns, np.int64), np.empty(columns, np.int64),
    )  # fmt: skip
    for u in range(units):
        part.link[u] = u
    for i in range(rows):
        row = slots[start + i]
        part.slots[i], part.known[i] = -1, False
        if row < 0:
            continue
        part.slots[i] = i
        for c in range(columns):
            part.codes[i, c] = codes[row, c]
        past_row = who[row]
        if past_row >= 0:
            part.known[i] = True
            for t in range(releases):
                part.past[i, t] = past[past_row, t]
    return part


@kernel("void(i8, i8, i8[:, ::1], i4[::1], i8[::1], i4[:, ::1], f8[::1], i8, i4[:, ::1], i8[::1])")
def cor_partition(begin, end, segments, slots, who, codes, scale, n, past, links):  # type: ignore[no-untyped-def]
    """Make the groups of each segment hc-safe: changes `slots` and `links`.

    A segment is (first slot, units, values per unit, first unit). A slot is a row, -1 a counterfeit; `who` leads from
    rows to rows of `past`, -1 for newcomers. links: units of a ring are one group; -1: a group alone, with a round of
    counterfeits.
    """
    for s in range(begin, end):
        start, units, size, first = segments[s, 0], segments[s, 1], segments[s, 2], segments[s, 3]
        part = _side_by_side(start, units, size, slots, who, codes, scale, n, past)
        for u in range(units):
            if part.link[u] != u or _unit_is_safe(part, u) or _exchange(part, u):
                continue
            if not _merge(part, u):
                part.link[u] = -1
        before = np.empty(units * size, np.int32)
        for i in range(units * size):
            before[i] = slots[start + i]
        for i in range(units * size):
            slots[start + i] = before[part.slots[i]] if part.slots[i] >= 0 else -1
        for u in range(units):
            links[first + u] = part.link[u] + first if part.link[u] >= 0 else -1
