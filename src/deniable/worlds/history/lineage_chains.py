"""What a history of stable groups tells, exactly: forward and backward over the orders within a lineage.

A chain is groups that follow each other, each with as many people as different values and the same values throughout,
people staying in it for neighbouring groups. A world hands each group's values to its people so that whoever is in two
groups keeps one value; so the next group depends on the last one only through the people in both, and with F and B
the worlds before and after, p(person has v) = sum of F B over the orders that say so / sum of F B over all.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s, different
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld

MOST = 7  # people in a group: 5,040 orders
_LONGEST = 80  # groups in a chain: 5040^80 is below the largest double, so that no possible order is rounded to 0
_HEAVY = 4  # steps for each place of each order of each group
_ROUNDING = 1e-9  # relative; fewer than 10^6 additions and multiplications of positive numbers lead to each share


@frozen
class Chained:
    """For people in chains: bounds for the chance of their true value, and how many values they may have, exactly."""

    low: Floats
    high: Floats
    possible: Int32s
    counted: Bools  # else the person is in no chain, and the rest is 0, 1 and 0


class _Groups(NamedTuple):
    """Who is in which group with which values, and the values that are known (-1: not)."""

    member_offsets: Int64s
    members: Int64s
    offsets: Int64s
    values: Int64s
    sure: Int64s


class _Shares(NamedTuple):
    """What is found for each person; changed in place."""

    truth: Int64s
    share: Floats
    possible: Int32s
    counted: Bools


class _Room(NamedTuple):
    """For one chain: worlds before and after each order of each group, and what passes from one to the next."""

    forward: Floats
    backward: Floats
    table: Floats  # by the values of the people in both
    here: Int64s  # their places
    there: Int64s
    held: Floats  # worlds of somebody's values


def _room(starts: Int64s, orders: Int64s) -> _Room:
    longest, size = min(int(np.diff(starts).max()), _LONGEST), orders.shape[1]
    both, places = np.empty((2, longest, len(orders))), np.empty((2, size), np.int64)
    return _Room(both[0], both[1], np.empty(size**size), places[0], places[1], np.empty(size))


def chained(history: History, truth: Int32s, known: KnownValues = NOTHING, most: int = MOST) -> Chained:
    """Count the worlds of all chains whose groups have at most so many people."""
    offsets, codes, _ = history.distinct
    sizes, width = np.diff(history.member_offsets), np.diff(offsets)
    plain = (sizes == width) & (sizes == np.diff(history.value_offsets)) & (sizes <= most)
    by_release = np.argsort(history.release, kind="stable")
    sure = np.full(history.people, -1, np.int64)
    sure[known.people] = known.values
    members, values = history.members.astype(np.int64), codes.astype(np.int64)
    groups = _Groups(history.member_offsets, members, offsets, values, sure)
    with work(_HEAVY * len(members)):
        chain = _chains(by_release, groups, plain)
    share, possible = np.zeros(history.people), np.zeros(history.people, np.int32)
    counted = np.zeros(history.people, np.bool_)
    for size in different(sizes[chain >= 0]).tolist():
        mine = np.flatnonzero((chain >= 0) & (sizes == size))
        mine = mine[np.lexsort((history.release[mine], chain[mine]))]
        starts = np.flatnonzero(np.diff(chain[mine], prepend=-1, append=-1))
        orders = np.array(list(permutations(range(size))), np.int64)
        found = _Shares(truth.astype(np.int64), share, possible, counted)
        with work(_HEAVY * orders.size * len(mine)):
            if not _count_all(mine, starts, groups, orders, _room(starts, orders), found):
                raise NoWorld("no assignment of values fits all releases and what is known")
    low, high = np.where(counted, share * (1 - _ROUNDING), 0.0), np.where(counted, share * (1 + _ROUNDING), 1.0)
    certain = counted & (possible == 1) & (share > 0)
    low[certain] = high[certain] = 1.0
    return Chained(low, np.minimum(high, 1.0), possible, counted)


@kernel()
def _is_like(g, h, groups):  # type: ignore[no-untyped-def]
    """Whether two plain groups have as many people and the same values."""
    here, there = groups.offsets[g], groups.offsets[h]
    if groups.offsets[g + 1] - here != groups.offsets[h + 1] - there:
        return False
    i = 0
    while here + i < groups.offsets[g + 1] and groups.values[here + i] == groups.values[there + i]:
        i += 1
    return here + i == groups.offsets[g + 1]


@kernel()
def _before(g, last, groups):  # type: ignore[no-untyped-def]
    """The group that people of g were in last, -1 for none; whether it is one for all of them; how many they are."""
    found, is_one, shared = -1, True, 0
    for i in range(groups.member_offsets[g], groups.member_offsets[g + 1]):
        h = last[groups.members[i]]
        if h >= 0:
            is_one = is_one and (found < 0 or found == h)
            found = h
            shared += 1
    return found, is_one, shared


@kernel()
def _break(g, chain, last, groups, broken):  # type: ignore[no-untyped-def]
    """Give up the chain of g, and those that its people were in last."""
    broken[chain[g]] = True
    for i in range(groups.member_offsets[g], groups.member_offsets[g + 1]):
        h = last[groups.members[i]]
        if h >= 0:
            broken[chain[h]] = True


@kernel()
def _chains(by_release, groups, plain):  # type: ignore[no-untyped-def]
    """The chain of each group, -1 for none and for the same group again; `plain` groups have each value once."""
    total = len(plain)
    last, chain = np.empty(len(groups.sure), np.int64), np.empty(total, np.int64)
    after, broken, again = np.zeros(total, np.bool_), np.zeros(total, np.bool_), np.zeros(total, np.bool_)
    for p in range(len(last)):
        last[p] = -1
    for g in by_release:
        first, end = groups.member_offsets[g], groups.member_offsets[g + 1]
        found, is_one, shared = _before(g, last, groups)
        fits = plain[g] and is_one
        if found >= 0:
            fits = fits and plain[found] and _is_like(g, found, groups)
            again[g] = fits and shared == end - first
            fits = fits and (again[g] or not after[found])
        chain[g] = chain[found] if found >= 0 else g
        if not fits:
            _break(g, chain, last, groups, broken)
        if again[g]:
            continue
        if found >= 0:
            after[found] = True
        for i in range(first, end):
            last[groups.members[i]] = g
    for g in range(total):
        if broken[chain[g]] or again[g]:
            chain[g] = -1
    return chain


@kernel()
def _shared(g, h, groups, here, there):  # type: ignore[no-untyped-def]
    """Places in g and in h of the people in both; how many."""
    found = 0
    first, start = groups.member_offsets[g], groups.member_offsets[h]
    for i in range(len(here)):
        for j in range(len(here)):
            if groups.members[first + i] == groups.members[start + j]:
                here[found], there[found] = i, j
                found += 1
    return found


@kernel()
def _key(order, places, found):  # type: ignore[no-untyped-def]
    """A number for the values at these places."""
    key = 0
    for i in range(found):
        key = key * len(order) + order[places[i]]
    return key


@kernel()
def _pass(source, here, target, there, found, orders, table):  # type: ignore[no-untyped-def]
    """Multiply target by the worlds of source that agree on the people in both; False if none is left."""
    for i in range(orders.shape[1] ** found):
        table[i] = 0.0
    for o in range(len(orders)):
        table[_key(orders[o], here, found)] += source[o]
    most = 0.0
    for o in range(len(orders)):
        target[o] *= table[_key(orders[o], there, found)]
        most = max(most, target[o])
    if most > 0.0:
        for o in range(len(orders)):
            target[o] /= most
    return most > 0.0


@kernel()
def _begin(g, groups, orders, weights):  # type: ignore[no-untyped-def]
    """1 for the orders that give known people their values, else 0; False if there is none."""
    first, fits = groups.member_offsets[g], False
    for o in range(len(orders)):
        weights[o] = 1.0
        for i in range(orders.shape[1]):
            v = groups.sure[groups.members[first + i]]
            if v >= 0 and groups.values[groups.offsets[g] + orders[o, i]] != v:
                weights[o] = 0.0
        fits = fits or weights[o] > 0.0
    return fits


@kernel()
def _worlds(run, groups, orders, room):  # type: ignore[no-untyped-def]
    """Fill in the worlds before and after each order of each group of a chain; False if there is none."""
    forward, backward, table, here, there = room.forward, room.backward, room.table, room.here, room.there
    for t in range(len(run)):
        if not _begin(run[t], groups, orders, forward[t]):
            return False
        for o in range(len(orders)):
            backward[t, o] = forward[t, o]
    for t in range(1, len(run)):
        found = _shared(run[t - 1], run[t], groups, here, there)
        if not _pass(forward[t - 1], here, forward[t], there, found, orders, table):
            return False
    for t in range(len(run) - 2, -1, -1):
        found = _shared(run[t + 1], run[t], groups, here, there)
        if not _pass(backward[t + 1], here, backward[t], there, found, orders, table):
            return False
    return True


@kernel()
def _enter(g, groups, orders, forward, backward, held, shares):  # type: ignore[no-untyped-def]
    """Enter the shares of the people of a group who are not in an earlier one."""
    for i in range(orders.shape[1]):
        p = groups.members[groups.member_offsets[g] + i]
        if shares.counted[p]:
            continue
        shares.counted[p] = True
        for j in range(len(held)):
            held[j] = 0.0
        for o in range(len(orders)):
            held[orders[o, i]] += forward[o] * backward[o]
        total = 0.0
        for j in range(len(held)):
            total += held[j]
        for j in range(len(held)):
            if held[j] > 0.0:
                shares.possible[p] += 1
            if groups.values[groups.offsets[g] + j] == shares.truth[p]:
                shares.share[p] = held[j] / total


@kernel()
def _count_all(chosen, starts, groups, orders, room, shares):  # type: ignore[no-untyped-def]
    """Enter the shares of all people in chains of groups of one size; False if one has no world."""
    for c in range(len(starts) - 1):
        run = chosen[starts[c] : starts[c + 1]]
        if len(run) > _LONGEST:
            continue
        if not _worlds(run, groups, orders, room):
            return False
        for t in range(len(run)):
            _enter(run[t], groups, orders, room.forward[t], room.backward[t], room.held, shares)
    return True
