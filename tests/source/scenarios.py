"""Small histories for the judge who has the source: who is there when, and the program that publishes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from deniable.publish.again.algorithm import Before, Wanted, find
from deniable.publish.again.releases import Grouping, Memberships, Table
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.judges.source import Group, Observed, World


@dataclass(frozen=True)
class Scenario:
    """Who is in the table of each release, in order; everybody's one quasi-identifier; and what was asked for.

    `cover` counterfeits may be spent on newcomers of a too frequent value, by default as many as it takes;
    `is_withheld`: others wait, else they are a reason to refuse.
    """

    present: tuple[tuple[int, ...], ...]
    ages: tuple[int, ...]
    m: int
    n: int
    algorithm: str = "stable"
    at_most: float = 0.2
    cover: int | None = None
    is_withheld: bool = False

    @property
    def people(self) -> int:
        return len(self.ages)

    def publish(
        self, number: int, world: World, kept: Kept | None, rng: np.random.Generator
    ) -> tuple[Observed, Kept] | None:
        """What the judge runs."""
        kept = kept or Kept(Memberships.empty(), Seats.empty())
        here = np.array(self.present[number])
        values = np.array(world, np.int32)[here]
        table = Table(here, (np.array(self.ages, np.int32)[here],), values)
        cover = len(here) * len(set(world)) if self.cover is None else self.cover
        wanted = Wanted(self.m, self.n, self.at_most, cover, seed=int(rng.integers(2**62)))
        made = find(self.algorithm).next_release(table, Before(lambda: kept.memberships, lambda: kept.seats), wanted)
        grouping = made.grouping
        if len(grouping.unplaced) and not self.is_withheld:
            return None
        if not len(grouping.signature):
            return None
        seats = made.seats or Seats.empty()
        after = Kept(kept.memberships.extended(table, grouping), _without_waiting(seats, table, grouping),
                     (*kept.releases, seats))  # fmt: skip
        return observed(table, grouping), after


@dataclass(frozen=True, eq=False)
class Kept:
    """What the program keeps, and all seats so far."""

    memberships: Memberships
    seats: Seats
    releases: tuple[Seats, ...] = field(default=())


def _without_waiting(seats: Seats, table: Table, grouping: Grouping) -> Seats:
    """Whoever waits was never published; `stable` has no signature for them."""
    waits = table.person[grouping.group < 0]
    assert not len(waits) or (seats.published[waits[waits < len(seats.published)]] < 0).all()
    return seats


def observed(table: Table, grouping: Grouping) -> Observed:
    """What is published."""
    found = []
    starts = grouping.counterfeit_starts.tolist()
    for g, (first, last) in enumerate(pairwise(starts)):
        rows = np.flatnonzero(grouping.group == g)
        fakes = grouping.counterfeits[first:last].tolist()
        values = tuple(sorted([*table.values[rows].tolist(), *fakes]))
        found.append(Group(frozenset(table.person[rows].tolist()), values, len(fakes)))
    return frozenset(found)


def numbered(*names: Sequence[str]) -> tuple[tuple[tuple[int, ...], ...], dict[str, int]]:
    """Releases of people by name, as numbers, and the number of each name."""
    number: dict[str, int] = {}
    releases = tuple(tuple(number.setdefault(name, len(number)) for name in release) for release in names)
    return releases, number


def grouped(history: Sequence[Any], number: dict[str, int]) -> list[list[str]]:
    """Who shares groups in the last release, by name, in order."""
    name = {who: one for one, who in number.items()}
    return sorted(sorted(name[who] for who in group.members) for group in history[-1])
