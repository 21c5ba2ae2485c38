"""The next release with stable groups: few equations for each person, so that all releases together tell little.

A group stays as it is while its members stay. Whoever leaves becomes a ghost: the seat and its value are published
on, which says nothing new. Ghosts are replaced in batches of at least n; groups of one signature merge to make a
batch when there are more counterfeits than asked for; newcomers left over found groups (theory 4, stable groups).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deniable.publish.again.releases import Floats, Grouping, Ints, Longs, Table, check, coordinates
from deniable.publish.again.stable.exchange import tighten
from deniable.publish.again.stable.founding import Founded, apart, found
from deniable.publish.again.stable.merging import boxes, in_order, runs, side_by_side
from deniable.publish.again.stable.refilling import GHOST, SHED, Newcomers, Places, Points, newcomers, points_of, refill
from deniable.publish.again.stable.seats import (
    Bools,
    Seats,
    StableGrouping,
    find_rows,
    groups_of_rows,
    leave,
    place,
    seat_people,
)
from deniable.publish.again.stable.shrinking import give_up, limits

_CAP = 12  # copies of a value up to which groups merge
_MOST = 128  # copies of a value that a group may be left with when rounds are given up
_PASSES = 4  # of merging
_AIM = 0.9  # of the counterfeits allowed: seats that are added to wait longer stay, and groups merge above the limit


def stable(
    table: Table,
    seats: Seats,
    m: int,
    n: int,
    *,
    at_most: float = 0.2,
    rounds: int | None = None,
    cap: int = _CAP,
    cover: int | None = None,
    seed: int | np.random.Generator | None = None,
) -> StableGrouping:
    """Groups for the table, given the last release; counterfeits are kept to a share `at_most` of the published rows.

    `rounds`: how often a new group has each value; by default what `at_most` needs. `cover` limits the counterfeits
    spent on newcomers whose values are too frequent; the rest is not placed. Without a seed, chance comes from the
    operating system.
    """
    _check(table, seats, m, n, at_most)
    rng = np.random.default_rng(seed)
    row, unseated, published = _who_is_here(table, seats)
    alive = np.logical_or.reduceat(row >= 0, seats.starts[:-1]) if len(seats) else np.zeros(0, np.bool_)
    returning = np.zeros(len(table), np.bool_)
    returning[unseated] = published[table.person[unseated]] >= 0
    fresh = unseated & ~returning
    kinds = int(max(table.values.max(initial=-1), seats.signatures.values.max(initial=-1))) + 1
    codes, scale = coordinates(table)
    points = points_of(codes, scale)
    pool = newcomers(table.values, np.flatnonzero(fresh), points, kinds, rng)
    places = Places(seats.starts, seats.values, row, rng.random(len(row)), seats.copies > seats.floor)
    before = row.copy()
    rounds = rounds or starting_rounds(m, n, at_most)
    root = np.where(alive, np.arange(len(seats)), -1)
    if alive.any():
        work = _Work(len(table), seats, places, pool, codes, scale, points, root, m, n, at_most, cap)
        _refill_groups(work, rounds, rng)
        _merge_groups(work)
    rest = rng.permutation(np.concatenate([_left(pool), np.flatnonzero(returning)]))
    new = found(table, rest, published[table.person[rest]], seats.signatures, m, rounds, cover)
    if returning.any():
        new = apart(new, table.person, seats.gone_person, seats.gone_lineage, n)
    now = _placed(seats, root, row, new)
    held = np.flatnonzero(now.rows >= 0)
    tighten(held[fresh[now.rows[held]]], now.starts, now.values, now.group, now.rows, points, rng)
    after = _seats_after(table, seats, published, root, before, row, new, now, n)
    batches = np.flatnonzero(np.concatenate([row != before, np.zeros(len(new.row), np.bool_)])[now.order])
    cuts = np.append(np.flatnonzero(np.diff(now.group[batches], prepend=-1)), len(batches))
    merged = int(np.count_nonzero(root >= 0)) - len(now.kept)
    return StableGrouping(_release(len(table), now, after, new.unplaced), after, cuts, batches, merged)


def starting_rounds(m: int, n: int, at_most: float) -> int:
    """How often a new group has each value, for that share of counterfeits.

    A group waits with 0 to n - 1 ghosts, (n - 1) / 2 on average, of m seats for each round; a fifth more was measured.
    Rounded down: groups that merge now and then answer queries better than groups that are large from the start.
    """
    if n == 1:
        return 1
    share = 1.2 * (n - 1) / (2 * m)
    return max(1, math.floor(share / at_most + 1e-9)) if _CAP * at_most > share else _CAP


def _check(table: Table, seats: Seats, m: int, n: int, at_most: float) -> None:
    """Refuse what no release can be made from."""
    if not 1 <= n < m:
        raise ValueError(f"The 'n' parameter must be an int in [1, {m - 1}], less than m. Got {n} instead.")
    if not 0 <= at_most <= 1:
        raise ValueError(f"The 'at_most' parameter must be a number in [0, 1]. Got {at_most} instead.")
    check(table, seats.signatures, m)


def _who_is_here(table: Table, seats: Seats) -> tuple[Longs, Bools, Ints]:
    """The row of each seat's person, -1 if there is none; rows without a seat; the signature of each person so far."""
    people = max(len(seats.published), int(table.person.max(initial=-1)) + 1)
    published = np.full(people, -1, np.int32)
    published[: len(seats.published)] = seats.published
    row, unseated, changed = find_rows(table.person, table.values, seats.person, seats.values, people)
    if changed:
        raise ValueError(f"{changed} people have another value than they were published with")
    return row, unseated, published


def _left(pool: Newcomers) -> Longs:
    """The newcomers who found no seat."""
    sizes = np.diff(np.append(pool.starts, len(pool.rows)))
    left: Longs = pool.rows[np.arange(len(pool.rows)) < np.repeat(pool.starts + pool.left, sizes)]
    return left


@dataclass(frozen=True, eq=False)
class _Work:
    """What the steps share; they change places.row, the pool and root: which group each is now part of, -1 if none."""

    rows: int
    seats: Seats
    places: Places
    pool: Newcomers
    codes: Ints
    scale: Floats
    points: Points
    root: Longs
    m: int
    n: int
    at_most: float
    cap: int

    @property
    def ghosts(self) -> Longs:
        """How many ghosts each group has."""
        found: Longs = np.add.reduceat(self.places.row == GHOST, self.seats.starts[:-1])
        return np.where(self.root >= 0, found, 0)

    @property
    def copies(self) -> Longs:
        """How often each group has each value."""
        kept = np.add.reduceat(self.places.row != SHED, self.seats.starts[:-1])
        return np.asarray(kept // self.seats.signatures.sizes()[self.seats.signature])

    def too_many(self, ghosts: Longs, at_most: float) -> int:
        """How many ghosts there are beyond that share of the published rows."""
        return int(ghosts.sum()) - int(at_most * self.rows / (1 - at_most)) if at_most < 1 else 0

    def waiting(self, ghosts: Longs, below: int, low: Ints, high: Ints, *, is_alone: bool = False) -> Longs:
        """Groups with fewer ghosts that may merge, or be alone, neighbours of one signature side by side."""
        own = (self.root == np.arange(len(self.root))) & (ghosts > 0) & (ghosts < below)
        own &= is_alone | ~self.seats.foreign
        return side_by_side(np.flatnonzero(own), self.seats.signature, low, high, self.scale)


def _refill_groups(work: _Work, rounds: int, rng: np.random.Generator) -> None:
    """Refill groups with n ghosts or more.

    Groups with one copy of each value wait as long as counterfeits allow, and those with most ghosts go first: whoever
    stays meets fewer people. Else those with fewest go first: the others can give up ghosts of all values.
    """
    places, ghosts = work.places, work.ghosts
    too_many = work.too_many(ghosts, _AIM * work.at_most if rounds == 1 else 0.0)
    ready = rng.permutation(np.flatnonzero(ghosts >= work.n))
    ready = ready[np.argsort(-ghosts[ready] if rounds == 1 else ghosts[ready], kind="stable")]
    if too_many <= 0 or not len(ready):
        return
    alone = np.arange(len(ready) + 1)
    refill(alone, ready, places, work.pool, work.points, work.m, work.n, False, too_many)


def _merge_groups(work: _Work) -> None:
    """Merge groups to refill them together, or to give up ghosts together, while there are too many counterfeits."""
    for _ in range(_PASSES):
        ghosts = work.ghosts
        wanted = work.too_many(ghosts, work.at_most)
        if wanted <= 0:
            return
        low, high = boxes(work.places.starts, work.places.row, work.codes)
        starts, groups, cost = runs(
            work.waiting(ghosts, work.n, low, high),
            ghosts,
            work.copies,
            work.seats.signature,
            low,
            high,
            work.scale,
            work.n,
            work.cap,
        )
        if not len(cost):
            break
        starts, groups, _ = in_order(starts, groups, cost / np.add.reduceat(ghosts[groups], starts[:-1]))
        done = refill(starts, groups, work.places, work.pool, work.points, work.m, work.n, True, wanted)
        if not done.any():
            break
        whole = np.repeat(done, np.diff(starts))
        work.root[groups[whole]] = np.repeat(groups[starts[:-1]], np.diff(starts))[whole]
    ghosts = work.ghosts
    wanted = work.too_many(ghosts, work.at_most)
    if wanted > 0:
        low, high = boxes(work.places.starts, work.places.row, work.codes)
        every = work.waiting(ghosts, len(work.places.row), low, high, is_alone=True)
        give_up(
            every, work.places, work.seats, work.copies, low, high, work.scale, work.root, work.n, _MOST, work.at_most,
            wanted,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Placed:
    """All seats of the release, old groups that are `kept` first, then new ones: the row that holds each, or GHOST.

    `order` is where each seat was among those of the last release and the new ones.
    """

    kept: Longs
    order: Longs
    starts: Longs
    group: Longs
    values: Ints
    rows: Longs


def _placed(seats: Seats, root: Longs, row: Longs, new: Founded) -> _Placed:
    """Put old and new seats together, group by group."""
    kept = np.flatnonzero(root == np.arange(len(seats)))
    number = np.full(len(seats) + 1, -1, np.int64)
    number[kept] = np.arange(len(kept))
    groups = len(kept) + len(new.signature)
    home = np.where(row == SHED, -1, np.repeat(number[root], np.diff(seats.starts)))
    order, starts, group, values, rows = place(
        home, new.starts, len(kept), groups, row, new.row, seats.values, new.values
    )
    return _Placed(kept, order, starts, group, values, rows)


def _seats_after(
    table: Table,
    seats: Seats,
    published: Ints,
    root: Longs,
    before: Longs,
    row: Longs,
    new: Founded,
    now: _Placed,
    n: int,
) -> Seats:
    """What is remembered of the release; notes in `published` who is in it."""
    nobody = np.where(new.row < 0, -seats.nobodies - np.cumsum(new.row < 0), -1)
    person = np.concatenate([seats.person, nobody])[now.order]
    signature = np.concatenate([seats.signature[now.kept], new.signature])
    seat_people(now.rows, now.group, table.person, signature, person, published)
    gone_person, gone_lineage = leave(
        seats.gone_person, seats.gone_lineage, seats.person, seats.lineage, seats.starts, root, row, before
    )
    if np.count_nonzero(root >= 0) > len(now.kept):
        lineage_of = np.arange(seats.lineages)
        lineage_of[seats.lineage] = np.where(root >= 0, seats.lineage[root], seats.lineage)
        gone_lineage = lineage_of[gone_lineage]
    sizes = seats.signatures.sizes()[seats.signature]
    floor, fresh = limits(seats.starts, sizes, root, row, before, seats.floor, seats.fresh, n)
    return Seats(
        now.starts, person, now.values, now.rows < 0,
        np.concatenate([seats.lineage[now.kept], seats.lineages + np.arange(len(new.signature))]), signature,
        np.concatenate([seats.foreign[now.kept], new.foreign]),
        np.concatenate([floor[now.kept], np.ones(len(new.signature), np.int64)]),
        np.concatenate([fresh, np.zeros(len(new.row), np.bool_)])[now.order],
        new.signatures, published,
        gone_person, gone_lineage,
        seats.lineages + len(new.signature), seats.nobodies + int(np.count_nonzero(new.row < 0)),
    )  # fmt: skip


def _release(rows: int, now: _Placed, after: Seats, unplaced: Longs) -> Grouping:
    """What is published."""
    group = groups_of_rows(now.rows, now.group, rows)
    ghosts = np.bincount(now.group[after.ghost], minlength=len(after))
    return Grouping(
        group, after.signature, np.concatenate([[0], np.cumsum(ghosts)]), now.values[after.ghost], after.signatures,
        np.sort(unplaced),
    )  # fmt: skip
