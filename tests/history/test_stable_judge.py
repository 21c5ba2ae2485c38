"""The judge of stable groups: what they promise, in plain Python without their code; and whether it sees mistakes.

A release is its table and its groups; a group is its seats: (who holds or held it, value, is it a ghost).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from deniable.publish.again.releases import Table
from deniable.publish.again.stable.seats import StableGrouping
from tests.history.tables import counterfeits_of

Seat = tuple[int, int, bool]


@dataclass(frozen=True)
class Release:
    table: Mapping[int, int]
    groups: Sequence[Sequence[Seat]]
    left_out: Collection[int] = ()

    @cached_property
    def people(self) -> list[set[int]]:
        return [{who for who, _, _ in group} for group in self.groups]

    @cached_property
    def home(self) -> dict[int, int]:
        return {who: g for g, people in enumerate(self.people) for who in people}


def read(table: Table, made: StableGrouping) -> Release:
    """A release, read off the arrays one seat at a time."""
    private = dict(zip(table.person.tolist(), table.values.tolist(), strict=True))
    seats, starts = made.seats, made.seats.starts.tolist()
    rows = list(zip(seats.person.tolist(), seats.values.tolist(), seats.ghost.tolist(), strict=True))
    groups = [rows[first:last] for first, last in pairwise(starts)]
    return Release(private, groups, table.person[made.grouping.unplaced].tolist())


def same_twice(table: Table, made: StableGrouping) -> bool:
    """Whether the rows' groups and the counterfeits of the release are those of the seats."""
    release = read(table, made)
    group = dict(zip(table.person.tolist(), made.grouping.group.tolist(), strict=True))
    for g, seats in enumerate(release.groups):
        if any(group[who] != g for who, _, ghost in seats if not ghost):
            return False
        if sorted(counterfeits_of(made.grouping, g)) != sorted(value for _, value, ghost in seats if ghost):
            return False
        signature = made.grouping.signatures.sets()[made.grouping.signature[g]]
        if set(signature) != {value for _, value, _ in seats}:
            return False
    seated = [who for seats in release.groups for who, _, ghost in seats if not ghost]
    return {who for who, g in group.items() if g >= 0} == set(seated)


def mistakes(history: Sequence[Release], m: int, n: int) -> list[str]:
    """Everything that is wrong with the last release, given those before it."""
    number = len(history)
    found = [*_in_release(history[-1], m), *_for_life(history), *_lineages(history)]
    found += (f"group {g} and group {h} of release {old}: {what}" for g, old, h, what in unsafe(history, n))
    return [f"release {number}: {what}" for what in found]


def _in_release(release: Release, m: int) -> Iterator[str]:
    real = Counter(who for group in release.groups for who, _, ghost in group if not ghost)
    real.update(release.left_out)
    if real != Counter(dict.fromkeys(release.table, 1)):
        yield "not everybody of the table is there exactly once"
    if any(count > 1 for count in Counter(who for group in release.groups for who, _, _ in group).values()):
        yield "a person has two seats"
    for g, group in enumerate(release.groups):
        often = Counter(value for _, value, _ in group)
        if len(often) < m:
            yield f"group {g} has {len(often)} different values"
        if len(set(often.values())) > 1:
            yield f"group {g} has values that are not equally often"
        if all(ghost for _, _, ghost in group):
            yield f"group {g} has no people"


def _for_life(history: Sequence[Release]) -> Iterator[str]:
    """Values and signatures never change, ghosts have the value of whom they stand for."""
    true: dict[int, int] = {}
    signature: dict[int, frozenset[int]] = {}
    for release in history:
        for who, value in release.table.items():
            if true.setdefault(who, value) != value:
                yield "the history itself changes a value"
        for group in release.groups:
            values = frozenset(value for _, value, _ in group)
            for who, value, ghost in group:
                if true.setdefault(who, value) != value:
                    yield f"{who} has another value"
                if signature.setdefault(who, values) != values:
                    yield f"{who} is under another signature"
                if who < 0 and not ghost:
                    yield "nobody is there"
                if ghost and who in release.table:
                    yield f"{who} is there, not a ghost"
        if any(who in signature for who in release.left_out):
            yield "somebody who was published is left out"


def _lineages(history: Sequence[Release]) -> Iterator[str]:
    """People of a group stay in one group; whoever joins an old group was never published; ghosts were people."""
    if len(history) < 2:
        return
    before, now = history[-2:]
    ever = {who for release in history[:-1] for who in release.home}
    for g, people in enumerate(before.people):
        if len({now.home[who] for who in people if who in now.home}) > 1:
            yield f"group {g} of the release before fell apart"
    for g, people in enumerate(now.people):
        joined = {who for who in people if who not in before.home}
        if len(joined) < len(people) and joined & ever:
            yield f"group {g} took in somebody who was published before"
        fresh = [who for who, _, ghost in now.groups[g] if ghost and who in joined and who >= 0]
        if fresh or (len(joined) < len(people) and any(who < 0 for who in joined)):
            yield f"group {g} has a ghost from nowhere"


def unsafe(history: Sequence[Release], n: int) -> Iterator[tuple[int, int, int, str]]:
    """Pairs of a new and an earlier group that tell too much, ghosts counted as those they stand for.

    New people: none or at least n (Riboni & Bettini, Figure 6). And with d more copies of each value on one side, the
    people only on the other side: none, or with d at least n.
    """
    new = history[-1]
    for g, people in enumerate(new.people):
        copies = _copies(new.groups[g])
        for old, release in enumerate(history[:-1]):
            for h in {release.home[who] for who in people if who in release.home}:
                there = release.people[h]
                more = copies - _copies(release.groups[h])
                fewer = people - there if more < 0 else there - people
                if 0 < len(people - there) < n:
                    yield g, old + 1, h, "few came"
                if fewer and len(fewer) + abs(more) < n:
                    yield g, old + 1, h, "few left"


def pinned(one: Mapping[int, int], two: Mapping[int, int], n: int) -> set[int]:
    """Whom some n - 1 known people pin down, over all worlds of two groups, each a value for each of its people."""
    true = {**one, **two}
    worlds = [dict(zip(true, world, strict=True)) for world in _worlds(list(true), one, two)]
    found = set()
    for known in combinations(true, n - 1):
        fit = [world for world in worlds if all(world[who] == true[who] for who in known)]
        found |= {who for who in true if who not in known and len({world[who] for world in fit}) == 1}
    return found


def _worlds(people: Sequence[int], *groups: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """Values of the people in order, such that each group has as many of each value as it has."""
    if not people:
        yield ()
        return
    here = [who_has for who_has in groups if people[0] in who_has]
    for value in sorted(set.intersection(*(set(who_has.values()) for who_has in here))):
        less = [_without(who_has, people[0], value) if people[0] in who_has else who_has for who_has in groups]
        yield from ((value, *rest) for rest in _worlds(people[1:], *less))


def _without(who_has: Mapping[int, int], who: int, value: int) -> dict[int, int]:
    """The group without the person and one such value: whoever had it gets the person's."""
    left = dict(who_has)
    holder = next(other for other, had in left.items() if had == value)
    left[holder] = left[who]
    del left[who]
    return left


def _copies(group: Sequence[Seat]) -> int:
    return max(Counter(value for _, value, _ in group).values())


def test_the_judge_sees_each_mistake() -> None:
    def told(*groups: list[tuple[int, int, bool]], table: dict[int, int] | None = None) -> Release:
        here = {who: value for group in groups for who, value, ghost in group if not ghost}
        return Release(here if table is None else table, groups)

    good = told([(0, 0, False), (1, 1, False), (2, 2, False)])
    joined = told([(0, 0, False), (1, 1, False), (3, 2, False)])
    assert mistakes([good], 3, 2) == []
    wrong = {
        "exactly once": [told([(0, 0, False), (1, 1, False), (2, 2, True)], table={0: 0, 1: 1, 5: 2})],
        "two seats": [told([(0, 0, False), (1, 1, False), (0, 2, True)])],
        "different values": [told([(0, 0, False), (1, 1, False)])],
        "not equally often": [told([(0, 0, False), (1, 1, False), (2, 2, False), (3, 0, False)])],
        "no people": [told([(0, 0, True), (1, 1, True), (2, 2, True)])],
        "another value": [good, told([(0, 1, False), (1, 0, False), (2, 2, False)])],
        "another signature": [good, told([(0, 0, False), (1, 1, False), (3, 3, False)])],
        "not a ghost": [told([(0, 0, False), (1, 1, False), (2, 2, True)], table={0: 0, 1: 1, 2: 2})],
        "few came": [good, joined],
        "fell apart": [
            good,
            told(
                [(0, 0, False), (3, 1, False), (4, 2, False)],
                [(5, 0, False), (1, 1, False), (2, 2, False)],
            ),
        ],
        "published before": [good, told([(3, 0, False), (4, 1, False), (2, 2, False)]), good],
        "from nowhere": [good, told([(0, 0, False), (1, 1, False), (7, 2, True)])],
    }
    for what, history in wrong.items():
        assert any(what in mistake for mistake in mistakes(history, 3, 2)), what
    seats = [(who, who % 4, False) for who in range(8)]
    apart, whole = told(seats[:4], seats[4:]), told([*seats[1:], (8, 0, False)])
    assert mistakes([apart, whole], 4, 2) == []
    assert [what for what in mistakes([apart, whole], 4, 3) if "few left" in what]


def test_the_judge_sees_whom_two_groups_pin_down() -> None:
    first = {0: 0, 1: 1, 2: 2}
    assert pinned(first, {0: 0, 1: 1, 3: 2}, 1) == set()
    assert pinned(first, {0: 0, 1: 1, 3: 2}, 2) == {2, 3}
    assert pinned(first, {0: 0, 3: 2, 4: 1}, 2) == set()
    assert pinned(first, {0: 0, 3: 2, 4: 1}, 3) == {0, 1, 2, 3, 4}
    part, whole = {who: who for who in range(4)}, {who: who % 4 for who in range(1, 9)}  # merged, with 8 for 0
    assert pinned(part, whole, 2) == set()
    assert pinned(part, whole, 3) == {0}
    assert sum(1 for _ in _worlds(range(6), {who: who % 3 for who in range(6)})) == 90
