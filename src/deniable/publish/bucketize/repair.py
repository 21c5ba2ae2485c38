"""Places for people whom no new group wants: in groups that exist, the exact posterior being the judge.

`absorb`: one person joins one group that lacks their value, nearest first. `merge`: one person and several groups
become one. Groups that are alike inside keep every posterior of their own members at 1/r whatever they are merged
with (equal signatures), so only the newcomer needs cover: from people with about their signature in each attribute
set, who may be different people for each set. The group that leaves the least strain is taken first. Merged groups
stand at the newcomer's cell, where the next one finds them.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.bucketize.pools import copies_of, has_value, is_safe
from deniable.publish.bucketize.proof import strain
from deniable.publish.bucketize.search_state import CELLS, chain, copy_rows
from deniable.publish.sorting import stable_order

_TRIES = 200  # groups without the value that are checked
_NEAREST = 8  # cells where somebody looks for a group to join before groups are merged
_COMPARED = 24  # groups that are compared before one is merged
_WEIGHT = 25.0  # of the attribute set in which cover is wanted, against the others


@kernel()
def _look_around(places, cell, chosen):  # type: ignore[no-untyped-def]
    """Fill near[chosen] with the cells around one, nearest first."""
    low, high = max(0, cell - CELLS), min(len(places.points), cell + CELLS + 1)
    apart = np.zeros(high - low)
    for s in range(len(places.starts) - 1):
        weight = _WEIGHT if s == chosen else 1.0
        for c in range(low, high):
            for j in range(places.starts[s], places.starts[s + 1]):
                d = places.points[c, j] - places.points[cell, j]
                apart[c - low] += weight * d * d
    order = stable_order(apart)
    for i in range(high - low):
        places.near[chosen, i] = low + order[i]
    places.found[chosen] = high - low


@kernel()
def near_by(places, cell, s):  # type: ignore[no-untyped-def]
    """The cells near one, remembered until `forget`; the attribute set s counts most, or all alike if there is none."""
    if places.found[s] == 0:
        _look_around(places, cell, s)
    return places.near[s, : places.found[s]]


@kernel()
def forget(places):  # type: ignore[no-untyped-def]
    """The next person is in another cell."""
    for s in range(len(places.found)):
        places.found[s] = 0


@kernel()
def _host(row, near, places, people, judge, made):  # type: ignore[no-untyped-def]
    """The first group near by that stays safe when the person joins; -1 if there is none."""
    tries = 0
    for cell in near:
        g = places.head[cell]
        while g >= 0:
            n = int(made.sizes[g])
            # A value with c of N people has a posterior of at least c/N for somebody.
            fits = 0 < n < made.members.shape[1]
            if fits and copies_of(made.members[g, :n], people.values, people.values[row]) + 1 <= (n + 1) * judge.limit:
                tries += 1
                copy_rows(made.members[g], n, judge.trial, 0)
                judge.trial[n] = row
                if is_safe(judge.trial[: n + 1], people, judge):
                    return g
                if tries == _TRIES:
                    return -1
            g = places.link[g]
    return -1


@kernel()
def is_next_cell(i, left, cells):  # type: ignore[no-untyped-def]
    """Whether left[i] is the first of its cell."""
    return i == 0 or cells[left[i]] != cells[left[i - 1]]


@kernel()
def like_the_last(i, left, cells, values):  # type: ignore[no-untyped-def]
    """Whether left[i] has the cell and the value of left[i-1], so that what failed for one fails for the other."""
    return not is_next_cell(i, left, cells) and values[left[i]] == values[left[i - 1]]


@kernel()
def _join(row, near, places, people, judge, made):  # type: ignore[no-untyped-def]
    """Whether the person has found a group near by."""
    g = _host(row, near, places, people, judge, made)
    if g < 0:
        return False
    made.members[g, made.sizes[g]] = row
    made.sizes[g] += 1
    return True


@kernel()
def absorb(left, cells, places, people, judge, made):  # type: ignore[no-untyped-def]
    """Let people join groups, one by one; returns who found one. `left` is ordered by cell and value."""
    placed = np.zeros(len(left), np.bool_)
    for i in range(len(left)):
        if like_the_last(i, left, cells, people.values) and not placed[i - 1]:
            continue
        if is_next_cell(i, left, cells):
            forget(places)
        near = near_by(places, cells[left[i]], people.signs.shape[1])
        placed[i] = _join(left[i], near, places, people, judge, made)
    return placed


@kernel()
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


@kernel()
def is_among(g, groups):  # type: ignore[no-untyped-def]
    """Whether a group is one of some."""
    for one in groups:
        if one == g:
            return True
    return False


@kernel()
def _overlap(rows, others, values):  # type: ignore[no-untyped-def]
    for row in others:
        if has_value(rows, values, values[row]):
            return True
    return False


@kernel()
def best_partner(n, near, places, people, judge, made, taken, most, may_repeat):  # type: ignore[no-untyped-def]
    """The group whose merging with the trial's n people leaves the least strain; -1 if there is none.

    They are `most` people together at most.
    Groups that are `taken` stay out: they are merged already, or about to lose a member.
    """
    best, found, seen = np.inf, -1, 0
    rows = judge.trial
    x = people.values[rows[0]]
    for cell in near:
        g = places.head[cell]
        while g >= 0:
            size = int(made.sizes[g])
            fits = 0 < size <= most - n and not is_among(g, taken)
            # A group that has as much of the first person's value as it can bear gives no cover.
            covers = fits and copies_of(made.members[g, :size], people.values, x) < size * judge.limit
            if covers and (may_repeat or not _overlap(rows[:n], made.members[g, :size], people.values)):
                seen += 1
                copy_rows(made.members[g], size, rows, n)
                tension = strain(rows[: n + size], people.signs, people.values, people.odds, judge.r, best)
                if tension < best:
                    best, found = tension, g
                if seen == _COMPARED:
                    return found
            g = places.link[g]
    return found


@kernel()
def _merged(row, cell, places, people, judge, made, parts, may_repeat):  # type: ignore[no-untyped-def]
    """Fill the trial with the person and groups that make a safe whole: how many people, how many groups."""
    rows = judge.trial
    rows[0] = row
    n = 1
    for k in range(len(parts)):
        s = weakest(row, rows[:n], people)
        near, most = near_by(places, cell, s), made.members.shape[1]
        g = best_partner(n, near, places, people, judge, made, parts[:k], most, may_repeat)
        if g < 0:
            return 0, 0
        size = int(made.sizes[g])
        copy_rows(made.members[g], size, rows, n)
        n += size
        parts[k] = g
        if is_safe(rows[:n], people, judge):
            return n, k + 1
    return 0, 0


@kernel()
def merge(left, cells, places, people, judge, made, groups, most):  # type: ignore[no-untyped-def]
    """Place people by joining or by merging up to `most` groups; returns who is placed, and the number of groups."""
    placed = np.zeros(len(left), np.bool_)
    parts = np.empty(most, np.int64)
    for i in range(len(left)):
        row, cell = left[i], cells[left[i]]
        if is_next_cell(i, left, cells):
            forget(places)
        elif like_the_last(i, left, cells, people.values) and not placed[i - 1]:
            continue
        near = near_by(places, cell, people.signs.shape[1])
        placed[i] = _join(row, near[:_NEAREST], places, people, judge, made)
        n = k = 0
        for may_repeat in range(2):
            if n == 0 and not placed[i]:
                n, k = _merged(row, cell, places, people, judge, made, parts, may_repeat == 1)
        if n == 0:
            continue
        copy_rows(judge.trial, n, made.members[groups], 0)
        made.sizes[groups] = n
        for part in range(k):
            made.sizes[parts[part]] = 0
        chain(groups, cell, places)
        groups += 1
        placed[i] = True
    return placed, groups
