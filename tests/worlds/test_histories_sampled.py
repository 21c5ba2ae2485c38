"""Worlds of a history drawn at random, against all worlds: intervals hold, and no world is likelier than another."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings

from deniable.worlds.history.belief_bounds import BeliefBounds
from deniable.worlds.history.beliefs import SAMPLED, true_values
from deniable.worlds.history.choices import Choices, choices
from deniable.worlds.history.joint import Spent, joint
from deniable.worlds.history.propagation import propagate
from deniable.worlds.history.sampling import Drawn, sample
from deniable.worlds.rejection import RISK, Trials
from tests.few import few
from tests.worlds.test_histories import EXAMPLE, Case, cases, holds_all, shares_of

FEW = 9  # states: groups must be left out, and drawn worlds thrown away
REGROUPED = Case(
    3,
    (0, 1, 2, 0, 1, 2),
    (
        (([0, 1, 2], [0, 1, 2]), ([3, 4, 5], [0, 1, 2])),
        (([0, 4, 5], [0, 1, 2, 2]), ([1, 2, 3], [0, 1, 2])),
        (([0, 2, 4], [0, 1, 2]), ([1, 3, 5], [0, 1, 2, 0])),
    ),
    (),
)


def drawn(case: Case, seed: int, draws: int, states: int) -> tuple[Choices, Drawn, list[float], list[float]]:
    words, system = propagate(case.history, case.knowledge)
    left = choices(system, words)
    nothing = BeliefBounds(np.zeros(len(left.value)), np.ones(len(left.value)))
    parts = np.arange(len(left.parts) - 1)
    found = sample(left, parts, nothing, float("inf"), seed=seed, draws=draws, states=states)
    return left, found, found.low.tolist(), found.high.tolist()


def shares(case: Case, left: Choices) -> list[Fraction]:
    worlds = case.worlds()
    asked = zip(left.person[left.owner].tolist(), left.value.tolist(), strict=True)
    return [Fraction(sum(world[p] == v for world in worlds), len(worlds)) for p, v in asked]


@settings(derandomize=True)
@given(cases())
@example(EXAMPLE)
@example(REGROUPED)
def test_intervals_hold_the_share_of_worlds(case: Case) -> None:
    left, found, low, high = drawn(case, seed=1, draws=1_000, states=FEW)
    assert found.done.all()
    for below, share, above in zip(low, shares(case, left), high, strict=True):
        assert below <= share <= above


@pytest.mark.parametrize("states", [FEW, 4_000])
def test_worlds_are_equally_likely(states: int) -> None:
    seeds, draws, missed = few(12, nightly=200), 200, 0
    total, expected = np.zeros(1), list[float]()
    for seed in range(seeds):
        left, found, low, high = drawn(REGROUPED, seed, draws, states)
        expected = expected or [float(share) for share in shares(REGROUPED, left)]  # whatever the seed
        missed += any(not a <= x <= b for a, x, b in zip(low, expected, high, strict=True))
        total = total + found.share
    assert missed <= 2  # 0.2 of 200 are expected at most
    assert np.abs(total / seeds - expected).max() < 2.5 / math.sqrt(seeds * draws)  # five standard deviations


def test_intervals_share_the_risk_and_have_room_for_rounding() -> None:
    """What the module says: the risk is divided among all shares, and 2 r 2^-53 / A added, A a quarter of survivors."""
    share, draws = np.full(1_000, 0.5), 10_000
    _, low, high = Trials(draws, draws, 0).narrow(share, np.zeros(1_000), np.ones(1_000))
    nats = draws * (0.5 * np.log(0.5 / low) + 0.5 * np.log(0.5 / (1 - low)))
    assert (nats >= np.log(2 * 1_000 / RISK)).all()
    _, lower, higher = Trials(draws, 100 * draws, 2**40).narrow(share, np.zeros(1_000), np.ones(1_000))
    assert low - lower == pytest.approx(8 * 2.0**-13 * 100)
    assert higher - high == pytest.approx(8 * 2.0**-13 * 100)


def test_the_interval_is_not_the_whole_line() -> None:
    _, _, low, high = drawn(REGROUPED, 0, 3_200, FEW)
    assert max(np.subtract(high, low)) < 0.125


@settings(derandomize=True, max_examples=50)
@given(cases())
@example(REGROUPED)
def test_what_is_not_counted_is_sampled(case: Case) -> None:
    truth = np.array(case.truth, np.int32)
    found = joint(case.history, case.knowledge, seconds=0.0)
    with pytest.MonkeyPatch.context() as patch:  # intervals hold however many are drawn
        patch.setattr("deniable.worlds.history.beliefs.sample", partial(sample, draws=1_000))
        beliefs = true_values(case.history, found, truth, 120.0, Spent(1, 0, 0))
    wide = beliefs.high - beliefs.low > 1e-9
    assert (beliefs.how[wide] == SAMPLED).all()
    assert case is not REGROUPED or wide.any()
    assert holds_all(beliefs, shares_of(case))
