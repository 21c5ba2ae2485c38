"""The judge who has the source finds by itself what choices tell; and what the choices of stable groups do not tell.

Each history here was once published so that somebody who can run the program knew more than the audit counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from deniable.publish.again.stable import refilling
from deniable.worlds.judges.source import Group, Judged, Observed, Publish, World, judge, observations, share
from tests.source.audited import left
from tests.source.scenarios import Kept, Scenario, numbered

History = list[Observed]


def values(word: str) -> World:
    return tuple("abcdefgh".index(one) for one in word)


def judged(
    scenario: Scenario,
    truth: World,
    runs: int,
    given: Sequence[int] = (),
    is_wanted: Callable[[History], bool] = lambda _: True,
) -> tuple[Judged, History, Kept]:
    """One history of the truth that is wanted, and what the judge says of it."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        seen = list(observations(truth, scenario.publish, len(scenario.present), rng))
        history = [one for one, _ in seen]
        if len(history) == len(scenario.present) and is_wanted(history):
            told = {who: truth[who] for who in given}
            found = judge(scenario.people, max(truth) + 1, scenario.publish, history, runs, rng, told)
            return found, history, seen[-1][1]
    raise AssertionError("no such history")


def begins_with(*people: int) -> Callable[[History], bool]:
    """Whether they share a group of the first release."""
    return lambda history: frozenset(people) in {group.members for group in history[0]}


def agrees(found: Judged, kept: Kept, truth: World, known: Mapping[int, int]) -> bool:
    """Whether nobody has one value left for the judge where the audit leaves two."""
    audited = left(kept, len(truth), known)
    return all(len(found.possible(who, known)) > 1 for who, many in enumerate(audited) if many > 1)


def test_groups_of_neighbours_tell() -> None:
    """Ages 20, 30, 40, 60 with a, a, b, b: two of the four worlds would have given {20, 40} and {30, 60}."""
    scenario = Scenario(((0, 1, 2, 3),), (20, 30, 40, 60), 2, 1, algorithm="m-invariance")
    found, ((*_,),), _ = judged(scenario, values("aabb"), 4)
    assert len(found.worlds) == 4
    assert [found.possible(who) for who in range(4)] == [{0, 1}] * 4
    assert [found.possible(who, {0: 0}) for who in range(4)] == [{0}, {0}, {1}, {1}]


def test_whoever_returns_too_late_is_alone_by_lot() -> None:
    """The P leave and return; too many of one lineage return, and it was always the last value that got a group."""
    present, number = numbered(["P1", "P2", "P3", "Q1", "Q2", "Q3"], ["Q1", "Q2", "Q3"],
                               ["P1", "P2", "P3", "Q1", "Q2", "Q3"])  # fmt: skip
    scenario = Scenario(present, (20, 21, 22, 60, 61, 62), 3, 1, at_most=1.0)
    given = [number[name] for name in ("Q1", "Q2", "Q3")]
    found, _, _ = judged(scenario, values("abcabc"), 40, given, begins_with(0, 1, 2))
    assert len(found.worlds) == 6
    for who in range(3):
        seen = found.posterior(who)
        assert set(seen) == {0, 1, 2}
        assert all(one.low <= 1 / 3 <= one.high for one in seen.values())


def waiting() -> tuple[Scenario, World, list[int]]:
    """A to D with a to d, of whom A, B and C leave while nobody with a comes; then A returns."""
    new = [f"X{k}" for k in range(7)]
    present, number = numbered(["A", "B", "C", "D"], ["D", *new], ["A", "D", *new])
    scenario = Scenario(present, (20, 21, 22, 23, *range(40, 47)), 4, 2, at_most=0.12)
    return scenario, values("abcdbcdefgh"), [number[name] for name in ("B", "C", *new)]


def test_a_group_that_waits_lacks_no_value_for_sure() -> None:
    """It was refilled in part: the seat that was passed over had the value that no newcomer had."""
    scenario, truth, given = waiting()
    found, _, kept = judged(scenario, truth, 100, given, begins_with(0, 1, 2, 3))
    assert agrees(found, kept, truth, {who: truth[who] for who in given})


def test_the_judge_sees_that_a_group_lacks_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no seat is passed over by lot, D is known not to have a: else d would be what lacks, and somebody has it."""
    monkeypatch.setattr(refilling, "_PASSED_OVER", 0.0)
    scenario, truth, given = waiting()
    found, _, kept = judged(scenario, truth, 16, given, begins_with(0, 1, 2, 3))
    assert found.possible(3) == {3}
    assert left(kept, len(truth), {who: truth[who] for who in given})[3] == 2


def test_two_who_return_alone_need_not_share_their_value() -> None:
    """There were as many groups as the commonest value needed: two who were alone had the same one."""
    old = ["P1", "P2", "P3", "Q1", "Q2", "Q3"]
    here = ["P2", "P3", "Q2", "Q3", "N1", "N2", *(f"Z{k}" for k in range(6))]
    present, number = numbered(old, here, ["P1", "Q1", *here])
    scenario = Scenario(present, (20, 21, 22, 60, 61, 62, 21, 61, *range(40, 46)), 3, 1, at_most=0.0)
    truth = values("abcabcaadefdef")
    sought = frozenset({number[name] for name in ("P2", "P3", "N1")})

    def are_alone(history: History) -> bool:
        last = {group.members for group in history[2]}
        return (
            begins_with(0, 1, 2)(history)
            and sought in last
            and {frozenset({number["P1"]}), frozenset({number["Q1"]})} <= last
        )

    given = [number["P1"], *(number[f"Z{k}"] for k in range(6))]
    found, _, kept = judged(scenario, truth, 12, given, are_alone)
    known = {who: truth[who] for who in given}
    assert left(kept, len(truth), known)[number["Q1"]] == 3
    assert found.possible(number["Q1"]) == {0, 1, 2}
    assert agrees(found, kept, truth, known)


def table_of_chances(chances: Mapping[World, float]) -> Publish:
    """A program that gives one thing with a chance that hangs on the world."""
    group = Group(frozenset({0, 1}), (0, 1), 0)

    def publish(number: int, world: World, kept: Any, rng: np.random.Generator) -> tuple[Observed, Any] | None:
        if world not in chances:
            return None
        return (frozenset({group}) if rng.random() < chances[world] else frozenset()), kept

    return publish


def test_the_judge_weighs_worlds_by_how_often_they_give_what_was_seen() -> None:
    """Two worlds, of 0.9 and 0.3: two releases alike make 0.81 of 0.9; and a refusal weighs nothing."""
    seen = [frozenset({Group(frozenset({0, 1}), (0, 1), 0)})] * 2
    publish = table_of_chances({(0, 1): 0.9, (1, 0): 0.3})
    found = judge(2, 2, publish, seen, 4_000, np.random.default_rng(0))
    one = found.posterior(0)[0]
    assert one.low < 0.9 < one.high
    assert one.high - one.low < 0.1
    refused = judge(2, 2, table_of_chances({(0, 1): 0.9}), seen, 50, np.random.default_rng(0))
    assert refused.possible(0) == {0}


def test_a_share_lies_between_its_ends() -> None:
    assert share(0, 100, 0.01).low == 0
    assert 0.05 < share(0, 100, 0.01).high < 0.06
    assert share(100, 100, 0.01).high == 1
    rng, wrong = np.random.default_rng(3), 0
    for hits in rng.binomial(50, 0.2, 2_000).tolist():
        found = share(hits, 50, 0.05)
        wrong += not found.low <= 0.2 <= found.high
    assert wrong <= 100
