"""New groups for people left over, with members that other groups can spare.

Somebody who is left over has a value that is frequent around them; what lacks are people with their signature and other
values. Groups of more than the smallest size have some: whoever can go without making their old group unsafe. A new
group takes the person, others left over near by and such members, whoever leaves the least strain, and where that is
not yet safe one whole group more.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.bucketize.pools import has_value, is_safe
from deniable.publish.bucketize.proof import strain
from deniable.publish.bucketize.repair import (
    best_partner,
    forget,
    is_among,
    is_next_cell,
    like_the_last,
    near_by,
    weakest,
)  # fmt: skip
from deniable.publish.bucketize.search_state import chain, copy_rows, leave_out

_COMPARED = 12  # candidates that are compared before one is taken
_SEEN = 3000  # people who are looked at for them
_MORE = 2
_NOT_ASKED, _STAYS_SAFE, _NEEDS_ALL = 0, 1, 2
_FOLD = 5  # groups above this many times the smallest size are left alone: proving them takes longest


@kernel()
def _can_spare(g, place, people, judge, made, spare, known):  # type: ignore[no-untyped-def]
    """Whether group g stays safe without its member at `place`; `known` remembers what was asked."""
    if known[g, place] == _NOT_ASKED:
        n = int(made.sizes[g]) - 1
        leave_out(made.members[g], place, n, spare)
        stays = 1.0 / n <= judge.limit and is_safe(spare[:n], people, judge)
        known[g, place] = _STAYS_SAFE if stays else _NEEDS_ALL
    return known[g, place] == _STAYS_SAFE


@kernel()
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
            size = int(made.sizes[g])
            seen += size
            is_open = 1.0 / judge.limit <= size - 1 < _FOLD / judge.limit and not is_among(g, sources[:n])
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


@kernel()
def _assemble(  # type: ignore[no-untyped-def]
    first, cell, size, left, left_at, placed, places, people, judge, made, sources, spots, spare, known
):
    """Fill the trial around left[first]: how many people, and the group to merge with (-1: none); 0 people: no way."""
    rows = judge.trial
    rows[0], sources[0], spots[0] = left[first], -1, first
    placed[first] = True
    n = 1
    while n < size + _MORE:
        near = near_by(places, cell, weakest(rows[0], rows[:n], people))
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
        near = near_by(places, cell, weakest(rows[0], rows[:n], people))
        g = best_partner(n, near, places, people, judge, made, sources[:n], _FOLD * size, False)
        if g >= 0:
            more = int(made.sizes[g])
            copy_rows(made.members[g], more, rows, n)
            if is_safe(rows[: n + more], people, judge):
                return n, g
    for i in range(n):
        if sources[i] < 0:
            placed[spots[i]] = False
    return 0, -1


@kernel()
def exchange(left, cells, left_at, size, places, people, judge, made, groups):  # type: ignore[no-untyped-def]
    """Form groups around people left over; returns who is placed and the number of groups."""
    placed = np.zeros(len(left), np.bool_)
    most = len(judge.trial)
    sources, spots, spare = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int32)
    known = np.zeros(made.members.shape, np.int8)
    failed = False
    for i in range(len(left)):
        if placed[i] or (failed and like_the_last(i, left, cells, people.values)):
            continue
        if is_next_cell(i, left, cells):
            forget(places)
        cell = cells[left[i]]
        n, g = _assemble(
            i, cell, size, left, left_at, placed, places, people, judge, made, sources, spots, spare, known
        )  # fmt: skip
        failed = n == 0
        if failed:
            continue
        for k in range(n):
            if sources[k] >= 0:
                h, last = sources[k], int(made.sizes[sources[k]]) - 1
                made.members[h, spots[k]] = made.members[h, last]
                made.sizes[h] = last
                for place in range(last + 1):
                    known[h, place] = _NOT_ASKED
        total = n
        if g >= 0:
            total += int(made.sizes[g])
            made.sizes[g] = 0
        copy_rows(judge.trial, total, made.members[groups], 0)
        made.sizes[groups] = total
        chain(groups, cell, places)
        groups += 1
    return placed, groups
