"""The algorithms side by side: each takes tables one after the other and says what its readers then have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numba import njit

from benchmarks.experiments.republication.results import STABLE
from benchmarks.turnover import M, N
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.hc_safety import is_safe
from deniable.publish.again.m_invariance import m_invariance
from deniable.publish.again.releases import Grouping, Memberships, Table
from deniable.publish.again.stable.next_release import Dial, stable
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.arrays import Bools, Int32s, Int64s, offsets
from deniable.worlds.history.histories import History, history

SEED = 1

# A history, a world that fits it (the true one), and how many of its people are real.
Read = tuple[History, Int32s, int]


@dataclass(frozen=True, eq=False)
class Published:
    """One release, how many of its groups are not hc-safe, and how the joint adversary reads all releases so far."""

    table: Table
    grouping: Grouping
    unsafe: int
    read: Callable[[], Read]


@dataclass(frozen=True, eq=False)
class _Told:
    """What one release says, group by group: its members, the values of its rows."""

    sizes: Int64s
    members: Int64s
    values: Int32s  # of the members
    fakes: Int64s
    fake_values: Int32s


Algorithm = Callable[[Iterable[Table]], Iterator[Published]]


def regrouped(publish: Callable[[Table, Memberships], Grouping]) -> Algorithm:
    """Everybody is put into a group again in every release."""

    def released(tables: Iterable[Table]) -> Iterator[Published]:
        past, told = Memberships.empty(), []
        for table in tables:
            made = publish(table, past)
            unsafe = len(unsafe_groups(table, past, made, N))
            past = past.extended(table, made)
            told.append(_told(table, made))
            yield Published(table, made, unsafe, partial(_read, tuple(told), past.people))

    return released


def _told(table: Table, made: Grouping) -> _Told:
    order = np.argsort(made.group, kind="stable")
    sizes = np.bincount(made.group, minlength=len(made.signature))
    fakes = np.diff(made.counterfeit_starts)
    return _Told(sizes, table.person[order], table.values[order], fakes, made.counterfeits)


def _read(releases: Sequence[_Told], people: int) -> Read:
    """One multiset inclusion for each group."""
    release = np.repeat(np.arange(len(releases)), [len(part.sizes) for part in releases])
    sizes, members, values, fakes, fake_values = (
        np.concatenate([getattr(part, name) for part in releases])
        for name in ("sizes", "members", "values", "fakes", "fake_values")
    )
    truth = np.zeros(people, np.int32)
    truth[members] = values
    at = np.arange(len(release))
    of_value = np.argsort(np.concatenate([np.repeat(at, sizes), np.repeat(at, fakes)]), kind="stable")
    codes = np.concatenate([values, fake_values])[of_value]
    first, second = offsets(sizes), offsets(sizes + fakes)
    return history(people, int(codes.max()) + 1, release, first, members, second, codes), truth, people


def kept(at_most: float) -> Algorithm:
    """Groups stay while their members stay; a leaver's seat is a ghost, which the adversary takes for the leaver."""

    def released(tables: Iterable[Table]) -> Iterator[Published]:
        rng, past, told = np.random.default_rng(SEED), Memberships.empty(), [Seats.empty()]
        for table in tables:
            made = stable(table, told[-1], M, N, Dial(at_most=at_most), seed=rng)
            told.append(made.seats)
            seated, seats = _with_ghosts(made.seats, made.grouping)
            unsafe = len(unsafe_groups(seated, past, seats, N))
            past = past.extended(seated, seats)
            yield Published(
                table, made.grouping, unsafe, partial(read_seats, tuple(told[1:]), int(table.person.max()) + 1)
            )

    return released


def _with_ghosts(seats: Seats, made: Grouping) -> tuple[Table, Grouping]:
    """The release as if ghosts were still the people who left; people get even numbers, nobodies odd ones."""
    person = np.where(seats.person >= 0, 2 * seats.person, -1 - 2 * seats.person)
    group = seats.group.astype(np.int32)
    nothing = np.zeros(len(seats) + 1, np.int64)
    grouping = Grouping(group, made.signature, nothing, made.counterfeits[:0], made.signatures, made.unplaced)
    return Table(person, (), seats.values), grouping


def read_seats(releases: Sequence[Seats], people: int) -> Read:
    """As somebody reads them who knows the algorithm: ghosts are members, each for the person who left.

    People from `people` on are nobodies. Their value is -1 for whoever never was there. A group that is as it was in
    the release before is left out, it says nothing new.
    """
    truth = np.full(people + releases[-1].nobodies, -1, np.int32)
    found: list[tuple[Int32s, Int64s, Int64s, Int32s]] = []
    before = Seats.empty()
    for number, seats in enumerate(releases):
        member = np.where(seats.person >= 0, seats.person, people - 1 - seats.person)
        truth[member] = seats.values
        fresh = _changed(before, seats)
        mine, sizes = np.repeat(fresh, np.diff(seats.starts)), np.diff(seats.starts)[fresh]
        found.append((np.full(len(sizes), number, np.int32), sizes, member[mine], seats.values[mine]))
        before = seats
    release, sizes, members, codes = (np.concatenate(parts) for parts in zip(*found, strict=True))
    starts = offsets(sizes)
    read = history(len(truth), int(codes.max(initial=-1)) + 1, release, starts, members, starts, codes)
    return read, truth, people


def _changed(before: Seats, seats: Seats) -> Bools:
    """Which groups are new or have other people (ghosts included) than in the release before."""
    home = np.full(max(before.lineages, seats.lineages) + 1, -1, np.int64)
    home[before.lineage] = np.arange(len(before))
    was = home[seats.lineage]
    sizes = np.diff(seats.starts)
    same = (was >= 0) & (np.diff(before.starts)[was] == sizes) if len(before) else was >= 0
    at = np.flatnonzero(np.repeat(same, sizes))
    group = seats.group[at]
    there = before.starts[was[group]] + at - seats.starts[group]
    moved = before.person[there] != seats.person[at]
    same[group[moved]] = False
    return np.asarray(~same)


def unsafe_groups(table: Table, before: Memberships, grouping: Grouping, n: int) -> Int64s:
    """The groups of a release that are not hc-safe of degree n against the releases before it."""
    counts = np.bincount(grouping.group[grouping.group >= 0], minlength=len(grouping.signature))
    rows = counts + np.diff(grouping.counterfeit_starts)
    known = np.flatnonzero((grouping.group >= 0) & (table.person < before.people))
    known = known[np.argsort(grouping.group[known], kind="stable")]
    starts = np.searchsorted(grouping.group[known], np.arange(len(rows) + 1))
    return np.flatnonzero(~_safe_groups(table.person[known], starts, rows, n, before.groups))


@njit(cache=True)
def _safe_groups(people, starts, rows, n, past):  # type: ignore[no-untyped-def]
    """For each group people[starts[g]:starts[g + 1]] of rows[g] rows, whether it is safe of degree n."""
    safe = np.ones(len(rows), np.bool_)
    for g in range(len(rows)):
        inside = people[starts[g] : starts[g + 1]]
        safe[g] = is_safe(inside, len(inside), rows[g], n, past)
    return safe


ALGORITHMS: dict[str, Algorithm] = {
    "m-invariance": regrouped(lambda table, past: m_invariance(table, past, M)),
    "cor-split": regrouped(lambda table, past: cor_split(table, past, M, N)),
    "stable": kept(STABLE),
}
DIALS = (0.15, 0.1, 0.08, 0.05, 0.03)  # counterfeits at most, of which only the last release is looked at
TURNED: dict[str, Algorithm] = {f"stable {at_most:g}": kept(at_most) for at_most in DIALS}
