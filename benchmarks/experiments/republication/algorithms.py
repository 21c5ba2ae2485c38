"""The algorithms side by side: each takes tables one after the other and says what its readers then have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.experiments.republication.results import STABLE
from benchmarks.turnover import M, N
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.hc_safety import unsafe_groups
from deniable.publish.again.m_invariance import m_invariance
from deniable.publish.again.releases import Grouping, History, Table
from deniable.publish.again.stable.next_release import stable
from deniable.publish.again.stable.seats import Seats
from deniable.publish.again.stable.seats import story as story_of_seats
from deniable.worlds.history.histories import History as Story
from deniable.worlds.history.histories import history

SEED = 1

# A history, a world that fits it (the true one), and how many of its people are real.
Read = tuple[Story, NDArray[np.int32], int]


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

    sizes: NDArray[np.int64]
    members: NDArray[np.int64]
    values: NDArray[np.int32]  # of the members
    fakes: NDArray[np.int64]
    fake_values: NDArray[np.int32]


Algorithm = Callable[[Iterable[Table]], Iterator[Published]]


def regrouped(publish: Callable[[Table, History], Grouping]) -> Algorithm:
    """Everybody is put into a group again in every release."""

    def released(tables: Iterable[Table]) -> Iterator[Published]:
        past, told = History.empty(), []
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
    offsets = (np.concatenate([[0], np.cumsum(lengths)]) for lengths in (sizes, sizes + fakes))
    first, second = offsets
    return history(people, int(codes.max()) + 1, release, first, members, second, codes), truth, people


def kept(at_most: float) -> Algorithm:
    """Groups stay while their members stay; a leaver's seat is a ghost, which the adversary takes for the leaver."""

    def released(tables: Iterable[Table]) -> Iterator[Published]:
        rng, past, told = np.random.default_rng(SEED), History.empty(), [Seats.empty()]
        for table in tables:
            made = stable(table, told[-1], M, N, at_most=at_most, seed=rng)
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
    """As somebody reads them who takes each ghost for the person who left."""
    told = story_of_seats(releases, people)
    values = int(told.codes.max()) + 1
    offsets = told.member_offsets
    story = history(told.people, values, told.release, offsets, told.members, offsets, told.codes)
    return story, told.truth, people


ALGORITHMS: dict[str, Algorithm] = {
    "m-invariance": regrouped(lambda table, past: m_invariance(table, past, M)),
    "cor-split": regrouped(lambda table, past: cor_split(table, past, M, N)),
    "stable": kept(STABLE),
}
DIALS = (0.15, 0.1, 0.08, 0.05, 0.03)  # counterfeits at most, of which only the last release is looked at
TURNED: dict[str, Algorithm] = {f"stable {at_most:g}": kept(at_most) for at_most in DIALS}
