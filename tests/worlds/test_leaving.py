"""What leaving tells: worlds that weigh differently, against every world one by one, with fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deniable.worlds.history.belief_bounds import BeliefBounds
from deniable.worlds.history.beliefs import EXACT, PROVED, SAMPLED, Beliefs, true_values
from deniable.worlds.history.choices import choices
from deniable.worlds.history.counting_plan import room
from deniable.worlds.history.joint import THOROUGH, Spent, joint
from deniable.worlds.history.leaving import TooOften, leaving
from deniable.worlds.history.propagation import propagate
from deniable.worlds.history.sampling import sample
from deniable.worlds.history.world_counts import nothing_counted, state_room, tally
from tests.worlds.test_histories import EXAMPLE, Case, World, cases

TIMES = st.sampled_from([Fraction(1, 5), Fraction(1), Fraction(3, 2), Fraction(5)])
# Somebody leaves after the first release, and another one after the second.
LEAVERS = Case(3, (0, 1, 2, 0), (
    (([0, 1, 2], [0, 1, 2]), ([3], [0, 1, 2])),
    (([1, 2], [0, 1, 2]), ([3], [0, 1, 2])),
    (([2], [0, 1, 2]), ([3], [0, 1, 2])),
), ())  # fmt: skip


def chance(case: Case, times: list[Fraction]) -> Fraction:
    """b: as many are expected to leave as left."""
    there = [{p for members, _ in release for p in members} for release in case.releases]
    left, expected = 0, Fraction(0)
    for now, after, release in zip(there, there[1:], case.releases, strict=False):
        values = [v for _, codes in release for v in codes]
        left += len(now - after)
        if now:
            expected += len(now) * sum((times[v] for v in values), Fraction(0)) / len(values)
    return left / expected if left else Fraction(0)


def weight(case: Case, world: World, b: Fraction, times: list[Fraction]) -> Fraction:
    there = [{p for members, _ in release for p in members} for release in case.releases]
    steps = [(p, p in after) for now, after in pairwise(there) for p in now]
    return prod((1 - b * times[world[p]] if stays else b * times[world[p]] for p, stays in steps), start=Fraction(1))


def shares(case: Case, times: list[Fraction]) -> list[Fraction]:
    b = chance(case, times)
    weights = {world: weight(case, world, b, times) for world in case.worlds()}
    total = sum(weights.values())
    return [
        sum((w for world, w in weights.items() if world[p] == v), Fraction(0)) / total for p, v in enumerate(case.truth)
    ]


def believed(case: Case, times: list[Fraction], effort: Spent = THOROUGH) -> Beliefs:
    truth = np.array(case.truth, np.int32)
    found = joint(case.history, case.knowledge, truth)
    known = leaving(case.history, len(case.releases), times)
    return true_values(case.history, found, truth, effort=effort, leaving=known)


def hold(beliefs: Beliefs, expected: list[Fraction]) -> bool:
    """What is exact was rounded once; intervals hold the share."""
    given = zip(beliefs.how, beliefs.low, beliefs.high, expected, strict=True)
    return all(low == high == float(x) if how == EXACT else low <= x <= high for how, low, high, x in given)


def is_possible(case: Case, times: list[Fraction]) -> bool:
    return chance(case, times) * max(times) < 1


@given(cases(), st.lists(TIMES, min_size=3, max_size=3))
@example(LEAVERS, [Fraction(1), Fraction(5), Fraction(1)])
@example(EXAMPLE, [Fraction(1), Fraction(1), Fraction(5)])
@example(Case(1, (0,), ((([0], [0]),), ()), ()), [Fraction(1)] * 3)  # the last release has nobody
def test_every_world_weighs_what_who_left_makes_it(case: Case, drawn: list[Fraction]) -> None:
    times = drawn[: case.values]
    if not is_possible(case, times):
        with pytest.raises(TooOften):
            leaving(case.history, len(case.releases), times)
        return
    beliefs = believed(case, times)
    assert hold(beliefs, shares(case, times))
    assert (beliefs.high - beliefs.low < 1e-12).all()


@settings(derandomize=True)
@given(cases(), st.lists(TIMES, min_size=3, max_size=3))
@example(LEAVERS, [Fraction(1), Fraction(5), Fraction(1)])
def test_intervals_of_what_is_not_counted_hold_it(case: Case, drawn: list[Fraction]) -> None:
    times = drawn[: case.values]
    if not is_possible(case, times):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("deniable.worlds.history.beliefs.sample", partial(sample, draws=1_000))
        beliefs = believed(case, times, Spent(1, 0, 0))
    assert hold(beliefs, shares(case, times))


@pytest.mark.parametrize("states", [9, 4_000])
def test_worlds_are_drawn_as_they_weigh(states: int) -> None:
    times = [Fraction(1), Fraction(5), Fraction(1, 5)]
    words, system = propagate(LEAVERS.history)
    left = choices(system, words)
    known = leaving(LEAVERS.history, 3, times)
    left = left._replace(weight=known.weight[known.kind[left.person[left.owner]], left.value])
    parts = np.arange(len(left.parts) - 1)
    nothing = BeliefBounds(np.zeros(len(left.value)), np.ones(len(left.value)))
    found = sample(left, parts, nothing, float("inf"), seed=1, draws=8_000, states=states)
    assert found.done.all()
    expected = shares(LEAVERS, times)
    for q in range(len(left.person)):
        for x in left.literals(q):
            if left.value[x] == LEAVERS.truth[left.person[q]]:
                assert abs(found.share[x] - float(expected[left.person[q]])) < 0.03  # five standard deviations


def test_nothing_is_told_where_everybody_leaves_alike_or_nobody_leaves() -> None:
    alike = leaving(LEAVERS.history, 3, [Fraction(3)] * 3)
    assert (alike.weight == 1).all()
    stays = replace(LEAVERS, releases=LEAVERS.releases[:1] * 2)
    assert leaving(stays.history, 2, [Fraction(1), Fraction(5), Fraction(1)]).chance == 0


def test_a_part_whose_worlds_weigh_next_to_nothing_is_bounded() -> None:
    """Products below what doubles hold would lose digits, or be none."""
    words, system = propagate(LEAVERS.history)
    left = choices(system, words)
    weight = np.where(left.value == 0, 1.0, 1e-200)
    left, counted = left._replace(weight=weight), nothing_counted(left)
    tally(left, room(left), state_room(100), np.arange(len(left.parts) - 1), 0, 10**6, True, 2, counted)
    assert (counted.totals == 0).any()


def test_what_is_counted_with_weights_is_never_called_exact() -> None:
    beliefs = believed(LEAVERS, [Fraction(1), Fraction(5), Fraction(1)])
    assert set(beliefs.how[beliefs.high < 1]) <= {PROVED, SAMPLED}
    assert (beliefs.high - beliefs.low < 1e-12).all()
