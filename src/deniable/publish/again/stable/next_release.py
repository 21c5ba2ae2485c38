"""The next release with stable groups: few equations for each person, so that all releases together tell little.

A group stays as it is while its members stay. Whoever leaves becomes a ghost: the seat and its value are published
on, which says nothing new. Ghosts are replaced in batches of at least n; groups of one signature merge to make a
batch when there are more counterfeits than asked for; newcomers left over found groups (docs/theory/stable.md,
"The algorithm").
"""

from __future__ import annotations

import math

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import work
from deniable.publish.again.algorithm import STABLE, Before, Made, Wanted
from deniable.publish.again.releases import Grouping, Table, check, coordinates
from deniable.publish.again.stable.blocks import PEOPLE, found_in_blocks
from deniable.publish.again.stable.dealing import deal_near
from deniable.publish.again.stable.exchange import tighten
from deniable.publish.again.stable.founded import Founded
from deniable.publish.again.stable.founding import apart, found
from deniable.publish.again.stable.merging import Boxes, boxes, in_order, runs, side_by_side
from deniable.publish.again.stable.refilling import (
    GHOST,
    LOOKED_AT,
    SHED,
    Newcomers,
    SeatPlaces,
    newcomers,
    points_of,
    refill,
)
from deniable.publish.again.stable.seats import (
    Seats,
    StableGrouping,
    find_rows,
    groups_of_rows,
    leave,
    seat_people,
)
from deniable.publish.again.stable.shrinking import Terms, give_up, limits
from deniable.worlds.arrays import Bools, Float32s, Floats, Int32s, Int64s, offsets

_CAP = 12  # copies of a value up to which groups merge
_MOST = 128  # copies of a value that a group may be left with when rounds are given up
_PASSES = 4  # of merging
_AIM = 0.9  # of the counterfeits allowed: seats that are added to wait longer stay, and groups merge above the limit


@frozen
class Dial:
    """Counterfeits are kept to a share `at_most` of the published rows, if that can be.

    `rounds`: how often a new group has each value; by default what `at_most` needs. `cap`: copies of a value up to
    which groups merge. `cover` limits the counterfeits spent on newcomers whose values are too frequent; the rest is
    not placed.
    """

    at_most: float = STABLE.counterfeits
    rounds: int | None = None
    cap: int = _CAP
    cover: int | None = None


def next_release(table: Table, before: Before, wanted: Wanted) -> Made:
    """What the algorithm's record runs."""
    assert wanted.n is not None
    dial = Dial(at_most=wanted.at_most, cover=wanted.cover)
    made = stable(table, before.seats(), wanted.m, wanted.n, dial, seed=wanted.seed)
    return Made(made.grouping, made.seats)


def stable(
    table: Table,
    seats: Seats,
    m: int,
    n: int,
    dial: Dial | None = None,
    *,
    seed: int | np.random.Generator | None = None,
) -> StableGrouping:
    """Groups for the table, given the last release. Without a seed, chance comes from the operating system."""
    dial = dial or Dial()
    _check(table, seats, m, n, dial.at_most)
    rounds = dial.rounds or starting_rounds(m, n, dial.at_most)
    here = _who_is_here(table, seats)
    rng = np.random.default_rng(seed)
    with work(_steps(here, max(len(table.columns), 1), rounds * m)):
        return _stable(_begin(table, seats, here, m, n, dial, rng), here, rounds, rng)


def _steps(here: _Here, columns: int, size: int) -> int:
    """Whoever has no seat is compared with many, in new groups of this size with everybody there; the others stay."""
    unseated = int(np.count_nonzero(here.fresh | here.returning))
    return unseated * columns * (15 + size) + 10 * len(here.row)


def _stable(state: _State, here: _Here, rounds: int, rng: np.random.Generator) -> StableGrouping:
    """The steps, one after the other."""
    table, seats, m, n, dial = state.table, state.seats, state.m, state.n, state.dial
    if (state.root >= 0).any():
        _refill_groups(state, rounds, rng)
        _merge_groups(state, rounds)
        if rounds == 1:
            _deal_near(state, here, rng)
    near = rounds == 1 and _is_near(table, seats, m, n, dial.at_most)
    new = _found(state, here, rounds, near, rng)
    if here.returning.any():
        new = apart(new, table.person, seats.gone_person, seats.gone_lineage, n, *rng.spawn(1))
    now = _placed(state, new)
    if not near:
        held = np.flatnonzero(now.rows >= 0)
        tighten(held[here.fresh[now.rows[held]]], now.starts, now.values, now.group, now.rows, state.points, rng)
    after = _seats_after(state, here.published, new, now)
    joined = state.places.row != state.was
    batches = np.flatnonzero(np.concatenate([joined, np.zeros(len(new.row), np.bool_)])[now.order])
    cuts = np.append(np.flatnonzero(np.diff(now.group[batches], prepend=-1)), len(batches))
    merged = int(np.count_nonzero(state.root >= 0)) - len(now.kept)
    return StableGrouping(_release(len(table), now, after, new.unplaced), after, cuts, batches, merged)


def _deal_near(state: _State, here: _Here, rng: np.random.Generator) -> None:
    """Deal the seats that were refilled to newcomers who are near."""
    now, row = _placed(state, Founded.none(state.seats.signatures)), state.places.row
    held = np.flatnonzero(now.rows >= 0)
    fresh = held[here.fresh[now.rows[held]]]
    came = np.flatnonzero(here.fresh)
    deal_near(fresh, came, now.values, state.table.values, now.starts, now.group, now.rows, state.points, rng)
    row[now.order] = now.rows


def _unseated(state: _State, here: _Here) -> Int64s:
    """Rows without a seat."""
    waits = here.fresh | here.returning
    waits[state.places.row[state.places.row >= 0]] = False
    return np.flatnonzero(waits)


def _found(state: _State, here: _Here, rounds: int, near: bool, rng: np.random.Generator) -> Founded:
    """Groups for those who have no seat, `near`: in blocks of neighbours, if that can be."""
    table, known, m, cover = state.table, state.seats.signatures, state.m, state.dial.cover
    rows = rng.permutation(_unseated(state, here))
    published = here.published[table.person[rows]]
    if near:
        back = published >= 0
        again = Founded.none(known)
        if back.any():
            again = found(table, rows[back], published[back], known, m, rounds, cover, rng)
        new = found_in_blocks(table, rows[~back], again.signatures, m, state.dial.at_most, cover, rng)
        if new is not None:
            return again.and_then(new)
    return found(table, rows, published, known, m, rounds, cover, rng)


def _is_near(table: Table, seats: Seats, m: int, n: int, at_most: float) -> bool:
    """Whether groups of neighbours can be kept to that share of counterfeits, which do not merge.

    What they wait with is as above where 1,200 people or more have a value, and more where fewer have (measured for 40
    to 1,200). A handful of people are not many enough for anything else: groups are then drawn by lot.
    """
    kinds = int(max(table.values.max(initial=0), seats.signatures.values.max(initial=0))) + 1
    more = max(10 * (math.sqrt(kinds / max(len(table), 1)) - math.sqrt(1 / 1200)), 0.0)
    return len(table) <= PEOPLE or _waiting_share(m, n) * (1 + more) <= at_most + 1e-9


def _waiting_share(m: int, n: int) -> float:
    """Counterfeits among the rows of groups of one copy, refilled when they have n: a fifth more was measured."""
    return 1.2 * (n - 1) / (2 * m)


def starting_rounds(m: int, n: int, at_most: float) -> int:
    """How often a new group has each value, for that share of counterfeits.

    A group waits with 0 to n - 1 ghosts, (n - 1) / 2 on average, of m seats for each round.
    Rounded down: groups that merge now and then answer queries better than groups that are large from the start.
    """
    if n == 1:
        return 1
    share = _waiting_share(m, n)
    return max(1, math.floor(share / at_most + 1e-9)) if _CAP * at_most > share else _CAP


def _check(table: Table, seats: Seats, m: int, n: int, at_most: float) -> None:
    """Refuse what no release can be made from."""
    if not 1 <= n < m:
        raise ValueError(f"The 'n' parameter must be an int in [1, {m - 1}], less than m. Got {n} instead.")
    if not 0 <= at_most <= 1:
        raise ValueError(f"The 'at_most' parameter must be a number in [0, 1]. Got {at_most} instead.")
    check(table, seats.signatures, m)


@frozen(eq=False)
class _Here:
    """The row of each seat's person, -1 if there is none; the signature of each person so far, -1 if none.

    Rows without a seat: those of people who return and find it taken, and of newcomers.
    """

    row: Int64s
    published: Int32s
    returning: Bools
    fresh: Bools


def _who_is_here(table: Table, seats: Seats) -> _Here:
    """Who holds the seats of the last release. Refuses people who have another value now."""
    people = max(len(seats.published), int(table.person.max(initial=-1)) + 1)
    published = np.full(people, -1, np.int32)
    published[: len(seats.published)] = seats.published
    row, unseated, changed = find_rows(table, seats, people)
    if changed:
        raise ValueError(f"{changed} people have another value than they were published with")
    returning = unseated & (published[table.person] >= 0)
    return _Here(row, published, returning, unseated & ~returning)


@frozen(eq=False)
class _State:
    """What the steps share; they change places.row, the pool and root: which group each is now part of, -1 if none."""

    table: Table
    seats: Seats
    places: SeatPlaces
    was: Int64s  # places.row before
    pool: Newcomers
    codes: Int32s
    scale: Floats
    points: Float32s
    root: Int64s
    m: int
    n: int
    dial: Dial

    @property
    def ghosts(self) -> Int64s:
        """How many ghosts each group has."""
        found: Int64s = np.add.reduceat(self.places.row == GHOST, self.seats.starts[:-1])
        return np.where(self.root >= 0, found, 0)

    @property
    def copies(self) -> Int64s:
        """How often each group has each value."""
        kept = np.add.reduceat(self.places.row != SHED, self.seats.starts[:-1])
        return np.asarray(kept // self.seats.signatures.sizes()[self.seats.signature])

    def too_many(self, ghosts: Int64s, at_most: float) -> int:
        """How many ghosts there are beyond that share of the published rows."""
        return int(ghosts.sum()) - int(at_most * len(self.table) / (1 - at_most)) if at_most < 1 else 0

    def waiting(self, ghosts: Int64s, below: int, near: Boxes, *, is_alone: bool = False) -> Int64s:
        """Groups with fewer ghosts that may merge, or be alone, neighbours of one signature side by side."""
        own = (self.root == np.arange(len(self.root))) & (ghosts > 0) & (ghosts < below)
        own &= is_alone | ~self.seats.foreign
        return side_by_side(np.flatnonzero(own), self.seats.signature, near)


def _begin(table: Table, seats: Seats, here: _Here, m: int, n: int, dial: Dial, rng: np.random.Generator) -> _State:
    """Everybody where they were, newcomers waiting; groups with no person left are dropped."""
    row = here.row
    alive = np.logical_or.reduceat(row >= 0, seats.starts[:-1]) if len(seats) else np.zeros(0, np.bool_)
    kinds = int(max(table.values.max(initial=-1), seats.signatures.values.max(initial=-1))) + 1
    codes, scale = coordinates(table)
    points = points_of(codes, scale)
    pool = newcomers(table.values, np.flatnonzero(here.fresh), points, kinds, rng)
    places = SeatPlaces(seats.starts, seats.values, row, rng.random(len(row)), seats.copies > seats.floor)
    root = np.where(alive, np.arange(len(seats)), -1)
    return _State(table, seats, places, row.copy(), pool, codes, scale, points, root, m, n, dial)


def _refill_groups(state: _State, rounds: int, rng: np.random.Generator) -> None:
    """Refill groups with n ghosts or more.

    Groups with one copy of each value wait as long as counterfeits allow, and those with most ghosts go first: whoever
    stays meets fewer people, and whoever comes meets more who are chosen to be near. They are refilled whole, or those
    who stay would come to have less than m values. Else those with fewest go first: the others can give up ghosts of
    all values.
    """
    places, ghosts = state.places, state.ghosts
    too_many = state.too_many(ghosts, _AIM * state.dial.at_most if rounds == 1 else 0.0)
    ready = rng.permutation(np.flatnonzero(ghosts >= state.n))
    if too_many <= 0 or not len(ready):
        return
    ready = ready[np.argsort(-ghosts[ready] if rounds == 1 else ghosts[ready], kind="stable")]
    alone = np.arange(len(ready) + 1)
    refill(alone, ready, places, state.pool, state.points, state.m, state.n, rounds == 1, too_many, _looked_at(rounds))


def _looked_at(rounds: int) -> int:
    """Who gets which seat of groups of one copy is dealt out when all groups that are refilled are known."""
    return 1 if rounds == 1 else LOOKED_AT


def _merge_groups(state: _State, rounds: int) -> None:
    """Merge groups to refill them together, or to give up ghosts together, while there are too many counterfeits."""
    for _ in range(_PASSES):
        ghosts = state.ghosts
        wanted = state.too_many(ghosts, state.dial.at_most)
        if wanted <= 0:
            return
        near = boxes(state.places.starts, state.places.row, state.codes, state.scale)
        waiting = state.waiting(ghosts, state.n, near)
        starts, groups, cost = runs(waiting, ghosts, state.copies, state.seats.signature, near, state.n, state.dial.cap)
        if not len(cost):
            break
        starts, groups, _ = in_order(starts, groups, cost / np.add.reduceat(ghosts[groups], starts[:-1]))
        places, pool, looked_at = state.places, state.pool, _looked_at(rounds)
        done = refill(starts, groups, places, pool, state.points, state.m, state.n, True, wanted, looked_at)
        if not done.any():
            break
        whole = np.repeat(done, np.diff(starts))
        state.root[groups[whole]] = np.repeat(groups[starts[:-1]], np.diff(starts))[whole]
    ghosts = state.ghosts
    wanted = state.too_many(ghosts, state.dial.at_most)
    if wanted > 0:
        near = boxes(state.places.starts, state.places.row, state.codes, state.scale)
        every = state.waiting(ghosts, len(state.places.row), near, is_alone=True)
        terms = Terms(state.n, _MOST, float(state.dial.at_most), wanted)
        give_up(every, state.places, state.seats, state.copies, near, state.root, terms)


@frozen(eq=False)
class _Placed:
    """All seats of the release, old groups that are `kept` first, then new ones: the row that holds each, or GHOST.

    `order` is where each seat was among those of the last release and the new ones.
    """

    kept: Int64s
    order: Int64s
    starts: Int64s
    group: Int64s
    values: Int32s
    rows: Int64s


def _placed(state: _State, new: Founded) -> _Placed:
    """Put old and new seats together, group by group."""
    seats, root, row = state.seats, state.root, state.places.row
    kept = np.flatnonzero(root == np.arange(len(seats)))
    number = np.full(len(seats) + 1, -1, np.int64)
    number[kept] = np.arange(len(kept))
    home = np.where(row == SHED, -1, np.repeat(number[root], np.diff(seats.starts)))
    stay = np.flatnonzero(home >= 0)
    stay = stay[np.argsort(home[stay], kind="stable")]
    order = np.concatenate([stay, len(home) + np.arange(len(new.row))])
    sizes = np.concatenate([np.bincount(home[stay], minlength=len(kept)), np.diff(new.starts)])
    group = np.repeat(np.arange(len(sizes)), sizes)
    values, rows = np.concatenate([seats.values, new.values])[order], np.concatenate([row, new.row])[order]
    return _Placed(kept, order, offsets(sizes), group, values, rows)


def _seats_after(state: _State, published: Int32s, new: Founded, now: _Placed) -> Seats:
    """What is remembered of the release; notes in `published` who is in it."""
    seats, root, row = state.seats, state.root, state.places.row
    nobody = np.where(new.row < 0, -seats.nobodies - np.cumsum(new.row < 0), -1)
    person = np.concatenate([seats.person, nobody])[now.order]
    signature = np.concatenate([seats.signature[now.kept], new.signature])
    seat_people(now.rows, now.group, state.table.person, signature, person, published)
    gone_person, gone_lineage = leave(seats, root, row, state.was)
    if np.count_nonzero(root >= 0) > len(now.kept):
        lineage_of = np.arange(seats.lineages)
        lineage_of[seats.lineage] = np.where(root >= 0, seats.lineage[root], seats.lineage)
        gone_lineage = lineage_of[gone_lineage]
    sizes = seats.signatures.sizes()[seats.signature]
    floor, fresh = limits(seats.starts, sizes, root, row, state.was, seats.floor, seats.fresh, state.n)
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


def _release(rows: int, now: _Placed, after: Seats, unplaced: Int64s) -> Grouping:
    """What is published."""
    group = groups_of_rows(now.rows, now.group, rows)
    ghosts = np.bincount(now.group[after.ghost], minlength=len(after))
    return Grouping(
        group, after.signature, offsets(ghosts), now.values[after.ghost], after.signatures,
        np.sort(unplaced),
    )  # fmt: skip
