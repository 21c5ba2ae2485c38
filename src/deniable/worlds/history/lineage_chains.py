"""What a history of stable groups tells, exactly: forward and backward over the orders within a lineage.

A chain is groups that follow each other, each with as many people as different values and the same values throughout,
people staying in it for neighbouring groups. A world hands each group's values to its people so that whoever is in two
groups keeps one value; so the next group depends on the last one only through the people in both, and with F and B
the worlds before and after, p(person has v) = sum of F B over the orders that say so / sum of F B over all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld

MOST = 7  # people in a group: 5,040 orders
_LONGEST = 80  # groups in a chain: 5040^80 is below the largest double, so that no possible order is rounded to 0
_ROUNDING = 1e-9  # relative; fewer than 10^6 additions and multiplications of positive numbers lead to each share


@dataclass(frozen=True)
class Chained:
    """For people in chains: bounds for the chance of their true value, and how many values they may have, exactly."""

    low: Floats
    high: Floats
    possible: Int32s
    counted: Bools  # else the person is in no chain, and the rest is 0, 1 and 0


class _Groups(NamedTuple):
    """Who is in which group with which values, and the values that are known (-1: not)."""

    member_offsets: Int64s
    members: Int32s
    offsets: Int64s
    values: Int32s
    sure: Int64s


class _Shares(NamedTuple):
    """What is found for each person; changed in place."""

    truth: Int64s
    share: Floats
    possible: Int32s
    counted: Bools


def chained(history: History, truth: Int32s, known: KnownValues = NOTHING, most: int = MOST) -> Chained:
    """Count the worlds of all chains whose groups have at most so many people."""
    offsets, values, _ = history.distinct
    sizes, width = np.diff(history.member_offsets), np.diff(offsets)
    plain = (sizes == width) & (sizes == np.diff(history.value_offsets)) & (sizes <= most)
    by_release = np.argsort(history.release, kind="stable")
    sure = np.full(history.people, -1, np.int64)
    sure[known.people] = known.values
    groups = _Groups(history.member_offsets, history.members, offsets, values, sure)
    chain = _chains(by_release, groups, plain)
    share, possible = np.zeros(history.people), np.zeros(history.people, np.int32)
    counted = np.zeros(history.people, np.bool_)
    for size in np.unique(sizes[chain >= 0]).tolist():
        mine = np.flatnonzero((chain >= 0) & (sizes == size))
        mine = mine[np.lexsort((history.release[mine], chain[mine]))]
        starts = np.flatnonzero(np.diff(chain[mine], prepend=-1, append=-1))
        orders = np.array(list(permutations(range(size))), np.int64)
        found = _Shares(truth.astype(np.int64), share, possible, counted)
        if not _count_all(mine, starts, groups, orders, found):
            raise NoWorld("no assignment of values fits all releases and what is known")
    low, high = np.where(counted, share * (1 - _ROUNDING), 0.0), np.where(counted, share * (1 + _ROUNDING), 1.0)
    certain = counted & (possible == 1) & (share > 0)
    low[certain] = high[certain] = 1.0
    return Chained(low, np.minimum(high, 1.0), possible, counted)


@njit(cache=True)
def _is_like(g, h, groups):  # type: ignore[no-untyped-def]
    """Whether two plain groups have as many people and the same values."""
    here, there = groups.offsets[g], groups.offsets[h]
    if groups.offsets[g + 1] - here != groups.offsets[h + 1] - there:
        return False
    return (groups.values[here : groups.offsets[g + 1]] == groups.values[there : groups.offsets[h + 1]]).all()


@njit(cache=True)
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


@njit(cache=True)
def _break(g, chain, last, groups, broken):  # type: ignore[no-untyped-def]
    """Give up the chain of g, and those that its people were in last."""
    broken[chain[g]] = True
    for i in range(groups.member_offsets[g], groups.member_offsets[g + 1]):
        h = last[groups.members[i]]
        if h >= 0:
            broken[chain[h]] = True


@njit(cache=True)
def _chains(by_release, groups, plain):  # type: ignore[no-untyped-def]
    """The chain of each group, -1 for none and for the same group again; `plain` groups have each value once."""
    total = len(plain)
    last, after = np.full(len(groups.sure), -1, np.int64), np.zeros(total, np.bool_)
    chain = np.full(total, -1, np.int64)
    broken, again = np.zeros(total, np.bool_), np.zeros(total, np.bool_)
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


@njit(cache=True)
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


@njit(cache=True)
def _key(order, places, found):  # type: ignore[no-untyped-def]
    """A number for the values at these places."""
    key = 0
    for i in range(found):
        key = key * len(order) + order[places[i]]
    return key


@njit(cache=True)
def _pass(source, here, target, there, found, orders, table):  # type: ignore[no-untyped-def]
    """Multiply target by the worlds of source that agree on the people in both; False if none is left."""
    table[: orders.shape[1] ** found] = 0.0
    for o in range(len(orders)):
        table[_key(orders[o], here, found)] += source[o]
    most = 0.0
    for o in range(len(orders)):
        target[o] *= table[_key(orders[o], there, found)]
        most = max(most, target[o])
    if most > 0.0:
        target /= most
    return most > 0.0


@njit(cache=True)
def _begin(g, groups, orders, weights):  # type: ignore[no-untyped-def]
    """1 for the orders that give known people their values, else 0; False if there is none."""
    first = groups.member_offsets[g]
    for o in range(len(orders)):
        weights[o] = 1.0
        for i in range(orders.shape[1]):
            v = groups.sure[groups.members[first + i]]
            if v >= 0 and groups.values[groups.offsets[g] + orders[o, i]] != v:
                weights[o] = 0.0
    return weights.any()


@njit(cache=True)
def _worlds(run, groups, orders, forward, backward, table):  # type: ignore[no-untyped-def]
    """Fill in the worlds before and after each order of each group of a chain; False if there is none."""
    here, there = np.empty(orders.shape[1], np.int64), np.empty(orders.shape[1], np.int64)
    for t in range(len(run)):
        if not _begin(run[t], groups, orders, forward[t]):
            return False
        backward[t] = forward[t]
    for t in range(1, len(run)):
        found = _shared(run[t - 1], run[t], groups, here, there)
        if not _pass(forward[t - 1], here, forward[t], there, found, orders, table):
            return False
    for t in range(len(run) - 2, -1, -1):
        found = _shared(run[t + 1], run[t], groups, here, there)
        if not _pass(backward[t + 1], here, backward[t], there, found, orders, table):
            return False
    return True


@njit(cache=True)
def _enter(g, groups, orders, forward, backward, shares):  # type: ignore[no-untyped-def]
    """Enter the shares of the people of a group who are not in an earlier one."""
    for i in range(orders.shape[1]):
        p = groups.members[groups.member_offsets[g] + i]
        if shares.counted[p]:
            continue
        shares.counted[p] = True
        held = np.zeros(orders.shape[1])
        for o in range(len(orders)):
            held[orders[o, i]] += forward[o] * backward[o]
        for j in range(len(held)):
            shares.possible[p] += held[j] > 0.0
            if groups.values[groups.offsets[g] + j] == shares.truth[p]:
                shares.share[p] = held[j] / held.sum()


@njit(cache=True)
def _count_all(chosen, starts, groups, orders, shares):  # type: ignore[no-untyped-def]
    """Enter the shares of all people in chains of groups of one size; False if one has no world."""
    longest = min((starts[1:] - starts[:-1]).max(), _LONGEST)
    forward, backward = np.empty((longest, len(orders))), np.empty((longest, len(orders)))
    table = np.empty(orders.shape[1] ** orders.shape[1])
    for c in range(len(starts) - 1):
        run = chosen[starts[c] : starts[c + 1]]
        if len(run) > _LONGEST:
            continue
        if not _worlds(run, groups, orders, forward, backward, table):
            return False
        for t in range(len(run)):
            _enter(run[t], groups, orders, forward[t], backward[t], shares)
    return True
