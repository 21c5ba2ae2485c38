"""Everybody who is not in a group of their own cell: new groups, then room in others.

One kernel, so that the judge that all of them ask is compiled once.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.bucketize.exchange import exchange
from deniable.publish.bucketize.pools import fill_pools
from deniable.publish.bucketize.proof import worst_in
from deniable.publish.bucketize.repair import absorb, merge
from deniable.publish.bucketize.search_state import chain, list_groups, number_groups

_MERGED = 8  # groups that become one, at most


@kernel()
def _starts(left, cells, count):  # type: ignore[no-untyped-def]
    """Where each cell's people begin in `left`."""
    starts = np.zeros(count + 1, np.int64)
    for row in left:
        starts[cells[row] + 1] += 1
    for cell in range(count):
        starts[cell + 1] += starts[cell]
    return starts


@kernel()
def _still(left, placed):  # type: ignore[no-untyped-def]
    """Those who are not placed."""
    rest = np.empty(len(left), np.int32)
    count = 0
    for i in range(len(left)):
        if not placed[i]:
            rest[count] = left[i]
            count += 1
    return rest[:count]


@kernel()
def _worst_of_made(made, people, judge, worst):  # type: ignore[no-untyped-def]
    """`worst_in` of each group that is left, in the order of `number_groups`."""
    number = 0
    for g in range(len(made.sizes)):
        if made.sizes[g] > 0:
            rows = made.members[g, : made.sizes[g]]
            worst[number] = worst_in(
                rows, people.signs, people.values, people.priors, judge.fitted, np.inf, judge.floats, judge.ints
            )  # fmt: skip
            number += 1


@kernel()
def place_the_rest(group_of, groups, left, cells, parts, size, people, judge, made, places, worst):  # type: ignore[no-untyped-def]
    """Change group_of; `left` are the rows without a group by cell and value, `cells` the cell of each row.

    Also fill `worst`, the largest posterior in each group.
    """
    list_groups(group_of, made)
    count = len(places.points)
    placed, groups = fill_pools(left, _starts(left, cells, count), parts, size, people, judge, made, groups)
    left = _still(left, placed)
    for g in range(groups - 1, -1, -1):
        chain(g, cells[made.members[g, 0]], places)
    left = _still(left, absorb(left, cells, places, people, judge, made))
    for step in range(3):
        if len(left) == 0:
            break
        if step == 1:
            placed, groups = merge(left, cells, places, people, judge, made, groups, _MERGED)
        else:
            starts = _starts(left, cells, count)
            placed, groups = exchange(left, cells, starts, size, places, people, judge, made, groups)
        left = _still(left, placed)
    number_groups(made, group_of)
    _worst_of_made(made, people, judge, worst)
