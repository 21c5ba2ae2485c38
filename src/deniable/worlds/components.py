"""Connected parts: of places that are tied together, by lists or one tie after the other.

A tie is a list of places that stand in one part: the members of a group, those who compete for a seat. Tie i is at
members[offsets[i]:offsets[i + 1]].
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel


@kernel()
def root_of(parent, place):  # type: ignore[no-untyped-def]
    """The place that stands for the part of this one; shortens the way there."""
    while parent[place] != place:
        parent[place] = parent[parent[place]]
        place = parent[place]
    return place


@kernel()
def components(offsets, members, places):  # type: ignore[no-untyped-def]
    """The least place of the part of each place 0..places-1."""
    parent = np.arange(places)
    for tie in range(len(offsets) - 1):
        for i in range(offsets[tie] + 1, offsets[tie + 1]):
            one, other = root_of(parent, np.int64(members[i - 1])), root_of(parent, np.int64(members[i]))
            parent[max(one, other)] = min(one, other)
    for place in range(places):
        parent[place] = root_of(parent, place)
    return parent


@kernel()
def breadth_first(tie_offsets, ties, offsets, members):  # type: ignore[no-untyped-def]
    """All places, part by part, those near each other in a row; and where each part starts.

    `ties` are those of each place, at its `tie_offsets`. A part begins with its least place, and parts come in the
    order of these.
    """
    places = len(tie_offsets) - 1
    order, starts = np.empty(places, np.int64), np.empty(places + 1, np.int64)
    reached, opened = np.zeros(places, np.bool_), np.zeros(len(offsets) - 1, np.bool_)
    first, last, found = 0, 0, 0
    for start in range(places):
        if reached[start]:
            continue
        starts[found] = last
        found += 1
        reached[start] = True
        order[last] = start
        last += 1
        while first < last:
            place = order[first]
            first += 1
            for i in range(tie_offsets[place], tie_offsets[place + 1]):
                tie = ties[i]
                if opened[tie]:
                    continue
                opened[tie] = True
                for j in range(offsets[tie], offsets[tie + 1]):
                    member = members[j]
                    if not reached[member]:
                        reached[member] = True
                        order[last] = member
                        last += 1
    starts[found] = last
    return order, starts[: found + 1]
