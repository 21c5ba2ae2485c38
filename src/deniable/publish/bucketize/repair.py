"""Places for people whom no new group wants: in groups that exist, the exact posterior being the judge.

`absorb`: one person joins one group that lacks their value, nearest first. `merge`: one person and several groups
become one. Groups that are alike inside keep every posterior of their own members at 1/r whatever they are merged
with (equal signatures), so only the newcomer needs cover: from people with about their signature in each attribute
set, who may be different people for each set. The group that leaves the least strain is taken first. Merged groups
stand at the newcomer's cell, where the next one finds them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deniable.publish.bucketize.pools import copies_of, has_value, is_safe
from deniable.publish.bucketize.proof import strain

_CELLS = 2000  # cells on either side, in the order of similarity, that are looked at
_TRIES = 200  # groups without the value that are checked
_COMPARED = 24  # groups that are compared before one is merged
_WEIGHT = 25.0  # of the attribute set in which cover is wanted, against the others


@njit(cache=True, error_model="numpy")
def near_cells(places, cell, chosen):  # type: ignore[no-untyped-def]
    """Cells around one, nearest first; all attribute sets alike, or one of them above the others."""
    low, high = max(0, cell - _CELLS), min(len(places.points), cell + _CELLS + 1)
    apart = np.zeros(high - low)
    for s in range(len(places.starts) - 1):
        weight = _WEIGHT if s == chosen else 1.0
        for c in range(low, high):
            for j in range(places.starts[s], places.starts[s + 1]):
                d = places.points[c, j] - places.points[cell, j]
                apart[c - low] += weight * d * d
    return low + np.argsort(apart, kind="mergesort")


@njit(cache=True, error_model="numpy")
def near_by(places, cell, s, nears):  # type: ignore[no-untyped-def]
    """`near_cells` for one attribute set, remembered in `nears` as long as the cell is the same."""
    if len(nears[s]) == 0:
        nears[s] = near_cells(places, cell, s)
    return nears[s]


@njit(cache=True, error_model="numpy")
def _host(row, near, places, people, judge, made):  # type: ignore[no-untyped-def]
    """The first group near by that stays safe when the person joins; -1 if there is none."""
    tries = 0
    for cell in near:
        g = places.head[cell]
        while g >= 0:
            n = made.sizes[g]
            # A value with c of N people has a posterior of at least c/N for somebody.
            fits = 0 < n < made.members.shape[1]
            if fits and copies_of(made.members[g, :n], people.values, people.values[row]) + 1 <= (n + 1) * judge.limit:
                tries += 1
                judge.trial[:n] = made.members[g, :n]
                judge.trial[n] = row
                if is_safe(judge.trial[: n + 1], people, judge):
                    return g
                if tries == _TRIES:
                    return -1
            g = places.link[g]
    return -1


@njit(cache=True, error_model="numpy")
def like_the_last(i, left, cells, values):  # type: ignore[no-untyped-def]
    """Whether left[i] has the cell and the value of left[i-1], so that what failed for one fails for the other."""
    return i > 0 and cells[i] == cells[i - 1] and values[left[i]] == values[left[i - 1]]


@njit(cache=True, error_model="numpy")
def absorb(left, cells, places, people, judge, made):  # type: ignore[no-untyped-def]
    """Let people join groups, one by one; returns who found one. `left` is ordered by cell and value."""
    placed = np.zeros(len(left), np.bool_)
    near = np.empty(0, np.int64)
    for i in range(len(left)):
        if like_the_last(i, left, cells, people.values) and not placed[i - 1]:
            continue
        if i == 0 or cells[i] != cells[i - 1]:
            near = near_cells(places, cells[i], -1)
        g = _host(left[i], near, places, people, judge, made)
        if g >= 0:
            made.members[g, made.sizes[g]] = left[i]
            made.sizes[g] += 1
            placed[i] = True
    return placed


@njit(cache=True, error_model="numpy")
def weakest(row, rows, people):  # type: ignore[no-untyped-def]
    """The attribute set that says most about a person's own value."""
    worst, found = -1.0, 0
    x = people.values[row]
    for s in range(people.signs.shape[1]):
        total = 0.0
        for other in rows:
            total += people.odds[people.signs[other, s], x]
        says = people.odds[people.signs[row, s], x] / total
        if says > worst:
            worst, found = says, s
    return found


@njit(cache=True, error_model="numpy")
def _overlap(rows, others, values):  # type: ignore[no-untyped-def]
    for row in others:
        if has_value(rows, values, values[row]):
            return True
    return False


@njit(cache=True, error_model="numpy")
def best_partner(n, near, places, people, judge, made, sources, most, may_repeat):  # type: ignore[no-untyped-def]
    """The group whose merging with the trial's n people leaves the least strain; -1 if there is none.

    They are `most` people together at most.
    Groups in `sources[:n]` stay out: they are merged already, or about to lose a member.
    """
    best, found, seen = np.inf, -1, 0
    rows = judge.trial
    x = people.values[rows[0]]
    for cell in near:
        g = places.head[cell]
        while g >= 0:
            size = made.sizes[g]
            fits = 0 < size <= most - n and not (sources[:n] == g).any()
            # A group that has as much of the first person's value as it can bear gives no cover.
            covers = fits and copies_of(made.members[g, :size], people.values, x) < size * judge.limit
            if covers and (may_repeat or not _overlap(rows[:n], made.members[g, :size], people.values)):
                seen += 1
                rows[n : n + size] = made.members[g, :size]
                tension = strain(rows[: n + size], people.signs, people.values, people.odds, judge.r, best)
                if tension < best:
                    best, found = tension, g
                if seen == _COMPARED:
                    return found
            g = places.link[g]
    return found


@njit(cache=True, error_model="numpy")
def _merged(row, nears, cell, places, people, judge, made, parts, may_repeat):  # type: ignore[no-untyped-def]
    """Fill the trial with the person and groups that make a safe whole: how many people, how many groups."""
    rows = judge.trial
    rows[0] = row
    n = 1
    for k in range(len(parts)):
        s = weakest(row, rows[:n], people)
        near, most = near_by(places, cell, s, nears), made.members.shape[1]
        g = best_partner(n, near, places, people, judge, made, parts[:k], most, may_repeat)
        if g < 0:
            return 0, 0
        size = made.sizes[g]
        rows[n : n + size] = made.members[g, :size]
        n += size
        parts[k] = g
        if is_safe(rows[:n], people, judge):
            return n, k + 1
    return 0, 0


@njit(cache=True, error_model="numpy")
def merge(left, cells, places, people, judge, made, groups, most):  # type: ignore[no-untyped-def]
    """Place people by joining or by merging up to `most` groups; returns who is placed, and the number of groups."""
    placed = np.zeros(len(left), np.bool_)
    parts = np.empty(most, np.int64)
    near = np.empty(0, np.int64)
    nears = [np.empty(0, np.int64) for _ in range(people.signs.shape[1])]
    for i in range(len(left)):
        if i == 0 or cells[i] != cells[i - 1]:
            near = near_cells(places, cells[i], -1)
            for s in range(len(nears)):
                nears[s] = near[:0]
        elif like_the_last(i, left, cells, people.values) and not placed[i - 1]:
            continue
        g = _host(left[i], near[:8], places, people, judge, made)
        if g >= 0:
            made.members[g, made.sizes[g]] = left[i]
            made.sizes[g] += 1
            placed[i] = True
            continue
        n, k = _merged(left[i], nears, cells[i], places, people, judge, made, parts, False)
        if n == 0:
            n, k = _merged(left[i], nears, cells[i], places, people, judge, made, parts, True)
        if n == 0:
            continue
        made.members[groups, :n] = judge.trial[:n]
        made.sizes[groups] = n
        made.sizes[parts[:k]] = 0
        places.link[groups] = places.head[cells[i]]
        places.head[cells[i]] = groups
        groups += 1
        placed[i] = True
    return placed, groups
