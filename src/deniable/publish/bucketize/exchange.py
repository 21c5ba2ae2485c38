"""New groups for people left over, with members that other groups can spare.

Somebody who is left over has a value that is frequent around them; what lacks are people with their signature and other
values. Groups of more than the smallest size have some: whoever can go without making their old group unsafe. A new
group takes the person, others left over near by and such members, whoever leaves the least strain, and where that is
not yet safe one whole group more.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deniable.publish.bucketize.pools import has_value, is_safe
from deniable.publish.bucketize.proof import strain
from deniable.publish.bucketize.repair import best_partner, like_the_last, near_by, weakest

_COMPARED = 12  # candidates that are compared before one is taken
_SEEN = 3000  # people who are looked at for them
_MORE = 2
_NOT_ASKED = -1
_FOLD = 5  # groups above this many times the smallest size are left alone: proving them takes longest


@njit(cache=True, error_model="numpy")
def _can_spare(g, place, people, judge, made, spare, known):  # type: ignore[no-untyped-def]
    """Whether group g stays safe without its member at `place`; `known` remembers what was asked."""
    if known[g, place] == _NOT_ASKED:
        n = made.sizes[g] - 1
        spare[:place] = made.members[g, :place]
        spare[place:n] = made.members[g, place + 1 : n + 1]
        known[g, place] = 1.0 / n <= judge.limit and is_safe(spare[:n], people, judge)
    return known[g, place] == 1


@njit(cache=True, error_model="numpy")
def _candidate(n, near, left, left_at, placed, places, people, judge, made, sources, spare, known):  # type: ignore[no-untyped-def]
    """Who best joins the trial's n people: (place in `left`, -1), (place in group, group) or (-1, -1)."""
    best, found, source = np.inf, -1, -1
    compared = seen = 0
    rows, values = judge.trial, people.values
    for cell in near:
        for i in range(left_at[cell], left_at[cell + 1]):
            if placed[i] or has_value(rows[:n], values, values[left[i]]):
                continue
            rows[n] = left[i]
            compared += 1
            tension = strain(rows[: n + 1], people.signs, values, people.odds, judge.r, best)
            if tension < best:
                best, found, source = tension, i, -1
        g = places.head[cell]
        while g >= 0:
            size = made.sizes[g]
            seen += size
            is_open = 1.0 / judge.limit <= size - 1 < _FOLD / judge.limit and not (sources[:n] == g).any()
            for place in range(size if is_open else 0):
                if has_value(rows[:n], values, values[made.members[g, place]]):
                    continue
                rows[n] = made.members[g, place]
                tension = strain(rows[: n + 1], people.signs, values, people.odds, judge.r, best)
                if tension < best and _can_spare(g, place, people, judge, made, spare, known):
                    compared += 1
                    best, found, source = tension, place, g
            g = places.link[g]
        if compared >= _COMPARED or seen >= _SEEN:
            break
    return found, source


@njit(cache=True, error_model="numpy")
def _assemble(  # type: ignore[no-untyped-def]
    first, cell, nears, size, left, left_at, placed, places, people, judge, made, sources, spots, spare, known
):
    """Fill the trial around left[first]: how many people, and the group to merge with (-1: none); 0 people: no way."""
    rows = judge.trial
    rows[0], sources[0], spots[0] = left[first], -1, first
    placed[first] = True
    n = 1
    while n < size + _MORE:
        near = near_by(places, cell, weakest(rows[0], rows[:n], people), nears)
        found, source = _candidate(n, near, left, left_at, placed, places, people, judge, made, sources, spare, known)
        if found < 0:
            break
        rows[n] = left[found] if source < 0 else made.members[source, found]
        sources[n], spots[n] = source, found
        if source < 0:
            placed[found] = True
        n += 1
        if n < size:
            continue
        if is_safe(rows[:n], people, judge):
            return n, -1
        near = near_by(places, cell, weakest(rows[0], rows[:n], people), nears)
        g = best_partner(n, near, places, people, judge, made, sources, _FOLD * size, False)
        if g >= 0:
            total = n + made.sizes[g]
            rows[n:total] = made.members[g, : made.sizes[g]]
            if is_safe(rows[:total], people, judge):
                return n, g
    for i in range(n):
        if sources[i] < 0:
            placed[spots[i]] = False
    return 0, -1


@njit(cache=True, error_model="numpy")
def exchange(left, cells, left_at, size, places, people, judge, made, groups):  # type: ignore[no-untyped-def]
    """Form groups around people left over; returns who is placed and the number of groups."""
    placed = np.zeros(len(left), np.bool_)
    most = len(judge.trial)
    sources, spots, spare = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int32)
    nears = [np.empty(0, np.int64) for _ in range(people.signs.shape[1])]
    known = np.full(made.members.shape, _NOT_ASKED, np.int8)
    failed = False
    for i in range(len(left)):
        if placed[i] or (failed and like_the_last(i, left, cells, people.values)):
            continue
        if i == 0 or cells[i] != cells[i - 1]:
            for s in range(len(nears)):
                nears[s] = nears[s][:0]
        n, g = _assemble(
            i, cells[i], nears, size, left, left_at, placed, places, people, judge, made, sources, spots, spare, known
        )  # fmt: skip
        failed = n == 0
        if failed:
            continue
        for k in range(n):
            if sources[k] >= 0:
                h, last = sources[k], made.sizes[sources[k]] - 1
                made.members[h, spots[k]] = made.members[h, last]
                made.sizes[h] = last
                known[h] = _NOT_ASKED
        total = n
        if g >= 0:
            total += made.sizes[g]
            made.sizes[g] = 0
        made.members[groups, :total] = judge.trial[:total]
        made.sizes[groups] = total
        places.link[groups] = places.head[cells[i]]
        places.head[cells[i]] = groups
        groups += 1
    return placed, groups
