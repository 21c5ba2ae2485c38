"""New groups from the people left over in neighbouring cells, bottom-up: from pairs of cells to wide neighbourhoods.

Whoever has the most frequent value of a pool begins a group; it takes the neighbour that leaves the least strain, one
by one, until the exact posterior says that it is safe. A member that stands in the way is exchanged for another
neighbour before the group grows. People for whom no group is found go on to the next larger pool.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.bucketize.proof import strain, worst_in
from deniable.publish.bucketize.search_state import copy_rows, leave_out
from deniable.publish.sorting import stable_order

_REFUSED = 1.0 + 1e-9  # strain above 1, roundings aside
_NEAR = 32  # neighbours that are compared
_WIDEST = 4096  # people in a pool
_MORE = 4  # people beyond the smallest size
_EXCHANGES = 1
_FAILS = 3  # holders of one value in a row who found no group; the others of the pool will not either


@kernel()
def is_safe(rows, people, judge):  # type: ignore[no-untyped-def]
    """The exact verdict on a set of people."""
    if strain(rows, people.signs, people.values, people.odds, judge.r, _REFUSED) > _REFUSED:
        return False
    known = (people.signs, people.values, people.priors)
    return worst_in(rows, *known, judge.fitted, judge.limit, judge.floats, judge.ints) <= judge.limit


@kernel()
def copies_of(rows, values, x):  # type: ignore[no-untyped-def]
    """How many people have the value."""
    found = 0
    for row in rows:
        if values[row] == x:
            found += 1
    return found


@kernel()
def has_value(rows, values, x):  # type: ignore[no-untyped-def]
    """Whether somebody has the value."""
    for row in rows:
        if values[row] == x:
            return True
    return False


@kernel()
def _sums(rows, people, total, most):  # type: ignore[no-untyped-def]
    """For each member's value and each attribute set: the sum and the largest of all members' odds."""
    for i in range(len(rows)):
        x = people.values[rows[i]]
        for s in range(people.signs.shape[1]):
            total[i, s] = most[i, s] = 0.0
            for row in rows:
                o = people.odds[people.signs[row, s], x]
                total[i, s] += o
                most[i, s] = max(most[i, s], o)


@kernel()
def _strain_with(rows, extra, people, total, most):  # type: ignore[no-untyped-def]
    """The strain if one more joins, from the sums without."""
    worst = 0.0
    y = people.values[extra]
    for s in range(people.signs.shape[1]):
        a = people.signs[extra, s]
        own = largest = people.odds[a, y]
        for i in range(len(rows)):
            o = people.odds[a, people.values[rows[i]]]
            worst = max(worst, max(most[i, s], o) / (total[i, s] + o))
            o = people.odds[people.signs[rows[i], s], y]
            own += o
            largest = max(largest, o)
        worst = max(worst, largest / own)
    return worst


@kernel()
def _best(pool, taken, start, rows, people, total, most, banned):  # type: ignore[no-untyped-def]
    """The neighbour of pool[start] whose joining strains the group least; -1 if nobody can join."""
    best, found, seen = np.inf, -1, 0
    low, high = start - 1, start + 1
    _sums(rows, people, total, most)
    while seen < _NEAR and (low >= 0 or high < len(pool)):
        if low < 0 or (high < len(pool) and high - start <= start - low):
            at, high = high, high + 1
        else:
            at, low = low, low - 1
        row = pool[at]
        if taken[at] or at == banned or has_value(rows, people.values, people.values[row]):
            continue
        seen += 1
        tension = _strain_with(rows, row, people, total, most)
        if tension < best:
            best, found = tension, at
    return found


@kernel()
def _worst_member(rows, people):  # type: ignore[no-untyped-def]
    """Who, other than the first, stands out most: without them the strain is least."""
    best, found = np.inf, 1
    rest = np.empty(len(rows) - 1, np.int32)
    for i in range(1, len(rows)):
        leave_out(rows, i, len(rest), rest)
        tension = strain(rest, people.signs, people.values, people.odds, 1.0, best)
        if tension < best:
            best, found = tension, i
    return found


@kernel()
def _gather(pool, taken, start, size, people, judge, places, total, most):  # type: ignore[no-untyped-def]
    """Find a safe group around pool[start]; its places in the pool are places[:n]. Returns n, or 0."""
    places[0] = start
    rows = judge.trial
    rows[0] = pool[start]
    taken[start] = True
    n, exchanges, banned = 1, 0, -1
    while True:
        found = _best(pool, taken, start, rows[:n], people, total, most, banned)
        if found < 0:
            break
        places[n], rows[n] = found, pool[found]
        taken[found] = True
        n += 1
        if n < size:
            continue
        if is_safe(rows[:n], people, judge):
            return n
        if exchanges < _EXCHANGES and n > 2:
            exchanges += 1
            worst = _worst_member(rows[:n], people)
            banned = places[worst]
            taken[banned] = False
            n -= 1
            places[worst], rows[worst] = places[n], rows[n]
        elif n == size + _MORE or n + 1 >= len(rows):
            break
        else:
            exchanges = 0
    for i in range(n):
        taken[places[i]] = False
    return 0


@kernel()
def _by_frequency(pool, values, counts):  # type: ignore[no-untyped-def]
    """Places in the pool, holders of the most frequent value first."""
    keys = np.empty(len(pool))
    for i in range(len(pool)):
        counts[values[pool[i]]] += 1
    for i in range(len(pool)):
        keys[i] = -counts[values[pool[i]]]
    for i in range(len(pool)):
        counts[values[pool[i]]] = 0
    return stable_order(keys)


@kernel()
def _different(pool, taken, values, counts):  # type: ignore[no-untyped-def]
    """How many values the people of a pool still have."""
    found = 0
    for i in range(len(pool)):
        x = values[pool[i]]
        if not taken[i] and counts[x] == 0:
            counts[x] = 1
            found += 1
    for i in range(len(pool)):
        counts[values[pool[i]]] = 0
    return found


@kernel()
def _waiting(first, last, placed):  # type: ignore[no-untyped-def]
    """The places from first to last of people who are not yet placed; none if they are too many for a pool."""
    count = 0
    for i in range(first, last):
        if not placed[i]:
            count += 1
    inside = np.empty(count if count <= _WIDEST else 0, np.int64)
    at = 0
    for i in range(first, last if len(inside) else first):
        if not placed[i]:
            inside[at] = i
            at += 1
    return inside


@kernel()
def fill_pools(left, left_at, parts, size, people, judge, made, groups):  # type: ignore[no-untyped-def]
    """Form groups from `left`, rows ordered by cell; returns who is placed and the number of groups."""
    placed = np.zeros(len(left), np.bool_)
    counts = np.zeros(people.priors.shape[1], np.int64)
    sets = people.signs.shape[1]
    total, most = np.empty((len(judge.trial), sets)), np.empty((len(judge.trial), sets))
    places = np.empty(len(judge.trial), np.int64)
    for part in range(len(parts)):
        first, last = left_at[parts[part, 0]], left_at[parts[part, 1]]
        inside = _waiting(first, last, placed)
        if len(inside) < size:
            continue
        pool = np.empty(len(inside), np.int32)
        for i in range(len(inside)):
            pool[i] = left[inside[i]]
        taken = np.zeros(len(pool), np.bool_)
        if _different(pool, taken, people.values, counts) < size:
            continue
        fails = np.zeros(len(counts), np.int64)
        for start in _by_frequency(pool, people.values, counts):
            x = people.values[pool[start]]
            if taken[start] or fails[x] == _FAILS:
                continue
            n = _gather(pool, taken, start, size, people, judge, places, total, most)
            if n == 0:
                fails[x] += 1
                continue
            fails[x] = 0
            copy_rows(judge.trial, n, made.members[groups], 0)
            made.sizes[groups] = n
            groups += 1
            for i in range(n):
                placed[inside[places[i]]] = True
            if _different(pool, taken, people.values, counts) < size:
                break
    return placed, groups
