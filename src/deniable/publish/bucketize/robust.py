"""r-robust bucketization: no posterior above 1/r, for both adversaries and every attribute set.

Groups of equal signatures are drawn by lot (`lots`) in blocks that were cut blindly (`blocks`), so that their choice
says nothing (docs/theory/linkage.md, "What the choice of groups says"). Whoever that leaves over is withheld; or a
place is searched for them, which looks at values and says something: new groups among neighbours (`pools`), then in
groups that exist (`repair`) and members that other groups can spare (`exchange`); where r is no whole number also
groups with copies of a value (`together`). Whatever is proposed, nothing is returned that the exact posterior has not
passed (`proof`): a group that fails it is not published.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import in_pieces, work
from deniable.publish.bucketize.blocks import blocks_of, runs_of
from deniable.publish.bucketize.cells import number, rows_by
from deniable.publish.bucketize.lots import drawn, room
from deniable.publish.bucketize.neighbourhoods import neighbourhoods, of_cells
from deniable.publish.bucketize.proof import worst_of_all
from deniable.publish.bucketize.search import place_the_rest
from deniable.publish.bucketize.search_state import (
    Limit,
    People,
    judge_of,
    made_of,
    most_people,
    people_of,
    places_of,
    smallest_size,
)  # fmt: skip
from deniable.publish.bucketize.together import is_whole, place_equals, place_together
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s, offsets

# Steps, for each attribute set: to look at a row; to place one person, or to find a cell's neighbours.
_LOOKED_AT, _PLACED = 10, 300


@frozen
class KnownPriors:
    """What is known over one attribute set: each row's signature, and priors of signatures x values.

    A prior may be 0. NaN is a prior that the adversary does not know. What they learn of a group with such a pair is
    not known either, so no group has one.
    """

    signatures: Int32s
    priors: Floats


@frozen
class Bucketized:
    """A group number for each row, -1 for people withheld; `worst` bounds every posterior in the release.

    `searched` people are in groups that are not as they were drawn by lot.
    """

    group_of: Int32s
    groups: int
    withheld: int
    worst: float
    searched: int = 0


@frozen
class _Cells:
    """Rows by cell, cells in the order of similarity: features, neighbourhoods, and each row's cell."""

    points: Floats
    starts: Int64s
    parts: Int64s
    of_row: Int64s
    offsets: Int64s
    rows: Int32s


def place(
    columns: Sequence[Int32s], values: Int32s, knowledge: Sequence[KnownPriors], r: float, *, fitted: bool = False,
    search: bool = True, seed: int | None = None,
) -> Bucketized:  # fmt: skip
    """Safe groups for as many people as can be placed; the others are withheld. Priors stay as they are given.

    `fitted`: safe also from weights by signature that are not the priors, whatever they are. `search`: a place is
    searched for those whom lots leave over. `seed` is for tests: the lots are the operating system's otherwise.
    """
    _check(columns, values, knowledge, r)
    if not len(values):
        return Bucketized(np.empty(0, np.int32), 0, 0, 0.0)
    # Everybody gets a number by lot, so that no step can prefer people for where they stand in the table, and another
    # one that decides among those with equal values: who cuts blocks must not know it.
    rng = np.random.default_rng(None if seed is None else (seed, 1))
    order, lot = rng.permutation(len(values)), rng.permutation(len(values)).astype(np.int32)
    known = [KnownPriors(one.signatures[order], one.priors) for one in knowledge]
    with work(_LOOKED_AT * len(values) * len(knowledge)):
        found = _placed([column[order] for column in columns], values[order], known, lot, r, fitted, search)
    group_of = np.empty_like(found.group_of)
    group_of[order] = found.group_of
    return Bucketized(group_of, found.groups, found.withheld, found.worst, found.searched)


def _placed(
    columns: list[Int32s], values: Int32s, knowledge: Sequence[KnownPriors], lot: Int32s, r: float, fitted: bool,
    search: bool,
) -> Bucketized:  # fmt: skip
    reach("groups.place", 0, len(values))
    signatures = [known.signatures for known in knowledge]
    priors = [known.priors for known in knowledge]
    people = people_of(signatures, priors, values)
    cells = _in_order(signatures, priors)
    size = smallest_size(r)
    by_lot = _by_lot(columns, values, cells, _possible(knowledge, values), lot, r, size)
    if not search or not (by_lot < 0).any():
        reach("groups.prove")
        with work(_LOOKED_AT * len(values) * len(knowledge)):
            return _proved(by_lot, by_lot, _worst(by_lot, people, fitted), r)
    group_of = by_lot.copy()
    searched = int((group_of < 0).sum()) if is_whole(r) else len(values)  # most people have a group by now
    with work((_LOOKED_AT * len(values) + _PLACED * searched) * len(knowledge) * size):
        groups = int(group_of.max(initial=-1)) + 1
        if not is_whole(r):
            groups = place_equals(group_of, people, cells.of_row, r, fitted)
        worst = None
        if left := int((group_of < 0).sum()):
            reach("groups.rest", len(values) - left, len(values))
            worst = _place_the_rest(group_of, groups, people, cells, judge_of(r, fitted), size)
            if not is_whole(r) and int((group_of < 0).sum()):
                place_together(group_of, people, cells.of_row, r, fitted)
                worst = None
        reach("groups.prove")
        return _proved(group_of, by_lot, _worst(group_of, people, fitted) if worst is None else worst, r)


def _by_lot(
    columns: list[Int32s], values: Int32s, cells: _Cells, possible: Bools, lot: Int32s, r: float, size: int
) -> Int32s:
    """Groups that are drawn by lot; -1 for those left over, and for whom no posterior is known or below 1."""
    rows = cells.rows[possible[cells.rows]]
    starts = offsets(np.bincount(cells.of_row[rows], minlength=len(cells.points)))
    rows, starts = room(rows, starts, values, lot, size, 1.0 / r)
    blocks = blocks_of(columns, rows, starts, size)
    return drawn(blocks.rows, runs_of(blocks, values, r), values, lot, size, 1.0 / r)


def _check(columns: Sequence[Int32s], values: Int32s, knowledge: Sequence[KnownPriors], r: float) -> None:
    if not r >= 1:
        raise ValueError(f"The 'r' parameter must be a number in [1, inf). Got {r} instead.")
    if not knowledge:
        raise ValueError("at least one attribute set is needed")
    if any(len(column) != len(values) for column in (*columns, *(known.signatures for known in knowledge))):
        raise ValueError("all columns must have as many rows as there are values")
    for known in knowledge:
        rows, width = known.priors.shape
        if known.signatures.max(initial=0) >= rows or values.max(initial=0) >= width:
            raise ValueError("every signature needs a row of priors, and every value a column")
        if ((known.priors < 0) | (known.priors > 1)).any():
            raise ValueError("priors lie between 0 and 1")


def _possible(knowledge: Sequence[KnownPriors], values: Int32s) -> Bools:
    """Whose own value is neither impossible nor certain for their signatures, nor of unknown chance."""
    possible = np.ones(len(values), np.bool_)
    for known in knowledge:
        fixed = ~((known.priors > 0.0) & (known.priors < 1.0))
        if fixed.any():
            possible &= ~fixed[known.signatures, values]
    return possible


def _in_order(signatures: list[Int32s], priors: list[Floats]) -> _Cells:
    cell, parts = number(signatures)
    points, starts = of_cells(priors, parts, np.bincount(cell))
    with work(_PLACED * len(points) * len(signatures)):
        order, neighbours = neighbourhoods(points)
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    of_row = position[cell]
    offsets, rows = rows_by(of_row, len(order))
    return _Cells(np.ascontiguousarray(points[order]), starts, neighbours, of_row, offsets, rows)


def _place_the_rest(group_of: Int32s, groups: int, people: People, cells: _Cells, judge: Limit, size: int) -> Floats:
    """Change group_of where it is negative; returns the largest posterior in each group."""
    most = most_people(judge.r)
    left = cells.rows[group_of[cells.rows] < 0]
    left = left[np.lexsort((people.values[left], cells.of_row[left]))]
    large = _larger(group_of, groups, most)  # lots made them, where r is no whole number; there is no room for more
    apart = _numbered(np.where(large, group_of, -1))
    group_of[:] = _numbered(np.where(large, -1, group_of))
    groups = int(group_of.max(initial=-1)) + 1
    room = groups + 2 * len(left) + 1
    made, places = made_of(room, most), places_of(cells.points, cells.starts, room)
    worst = np.empty(room)
    place_the_rest(group_of, groups, left, cells.of_row, cells.parts, size, people, judge, made, places, worst)
    worst = worst[: int(group_of.max(initial=-1)) + 1]
    group_of[large] = len(worst) + apart[large]
    return np.concatenate([worst, _worst(apart, people, judge.fitted)]) if large.any() else worst


def _numbered(group_of: Int32s) -> Int32s:
    """The same groups, numbered without a gap."""
    there = np.bincount(group_of[group_of >= 0], minlength=1) > 0
    return np.where(group_of >= 0, (np.cumsum(there) - 1)[group_of], -1).astype(np.int32)


def _larger(group_of: Int32s, groups: int, most: int) -> Bools:
    """Who is in a group of more people than that."""
    sizes = np.bincount(group_of[group_of >= 0], minlength=groups + 1)
    return np.asarray((group_of >= 0) & (sizes[group_of] > most))


def _worst(group_of: Int32s, people: People, fitted: bool) -> Floats:
    """The largest posterior in each group; whoever has just searched has it already, and would compile it again."""
    groups = int(group_of.max(initial=-1)) + 1
    offsets, members = rows_by(group_of.astype(np.int64), groups)
    worst = np.empty(groups)
    in_pieces(worst_of_all, groups, offsets, members, people.signs, people.values, people.priors, fitted, worst)
    return worst


def _proved(group_of: Int32s, by_lot: Int32s, worst: Floats, r: float) -> Bucketized:
    """The release, after the exact posterior has looked at every group of it."""
    safe = worst <= 1.0 / r
    if not safe.all():
        numbers = np.where(safe, np.cumsum(safe) - 1, -1).astype(np.int32)
        group_of = np.where(group_of >= 0, numbers[group_of], -1).astype(np.int32)
    withheld = int((group_of < 0).sum())
    return Bucketized(
        group_of, int(safe.sum()), withheld, float(worst[safe].max(initial=0.0)), _searched(group_of, by_lot)
    )


def _searched(group_of: Int32s, by_lot: Int32s) -> int:
    """How many people are in groups that were not drawn as they are: as many, and all of one drawn group."""
    rows = np.flatnonzero(group_of >= 0)
    group, old = group_of[rows], by_lot[rows]
    people, drawn_ = np.bincount(group), np.bincount(by_lot[by_lot >= 0], minlength=1)
    low, high = np.full(len(people), len(by_lot), np.int32), np.full(len(people), -1, np.int32)
    np.minimum.at(low, group, old)
    np.maximum.at(high, group, old)
    same = (low == high) & (low >= 0) & (people == drawn_[np.maximum(low, 0) % len(drawn_)])
    return int(people[~same].sum())
