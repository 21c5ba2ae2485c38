"""Certificates: the paper's tables, counter-examples to its bound, and that none is ever below the truth."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable import delta_ceiling, delta_violations, deviation
from deniable.worlds.groups.posterior_bounds import swap_bound, swap_floor
from deniable.worlds.judges import groups as judge
from tests.worlds.test_posteriors import Case, cases, holds, small

Floats = NDArray[np.float64]


@pytest.mark.parametrize(
    ("people", "r", "largest", "ceiling"),
    [
        (3, 2, 0.1, 0.0474),
        (3, 2, 0.3, 0.1235),
        (3, 2, 0.5, 0.1667),
        (3, 2, 0.9, 0.0818),
        (4, 2, 0.3, 0.1750),
        (6, 2, 0.3, 0.2211),
        (6, 3, 0.3, 0.1537),
        (6, 4, 0.3, 0.0955),
    ],
)
def test_table_v(people: int, r: int, largest: float, ceiling: float) -> None:
    assert round(delta_ceiling(people, r, largest), 4) == ceiling


def test_nothing_may_differ_at_the_ends() -> None:
    assert delta_ceiling(5, 2, 0.0) == delta_ceiling(5, 2, 1.0) == delta_ceiling(2, 2, 0.4) == 0.0


def test_example_2() -> None:
    priors = np.array([[0.1], [0.08], [0.09]])
    assert deviation(priors) == pytest.approx([0.02])
    assert delta_ceiling(3, 2, 0.1) == pytest.approx(0.0474, abs=5e-5)
    rest = np.hstack([priors, 1 - priors])
    assert delta_violations(rest, 2, copies=[1, 2]).tolist() == [False, True]
    exact = judge.marginal([1, 1, 1], 1, priors[:, 0].tolist())
    assert exact is not None
    assert max(exact) <= 0.5


def test_the_ceiling_does_not_protect_against_the_full_adversary() -> None:
    priors = np.array([[0.1, 0.0527, 0.0527], [0.0527, 0.1, 0.1], [0.0527, 0.1, 0.1]])
    people, copies = small([1, 1, 1]), small([1, 1, 1])
    assert not delta_violations(priors, 2).any()
    exact = judge.full([1, 1, 1], [1, 1, 1], priors.tolist())
    assert exact is not None
    assert float(exact[0][0]) == pytest.approx(0.643, abs=5e-4)
    assert swap_bound(people, copies, priors)[0, 0] >= exact[0][0]


def test_the_ceiling_fails_for_a_value_that_occurs_twice() -> None:
    priors = np.array([[0.202], [0.194], [0.198], [0.419]])
    assert deviation(priors)[0] <= delta_ceiling(4, 2, 0.419)
    exact = judge.marginal([1] * 4, 2, priors[:, 0].tolist())
    assert exact is not None
    assert float(max(exact)) == pytest.approx(0.745, abs=5e-4)
    rest = np.hstack([priors, 1 - priors])
    assert delta_violations(rest, 2, copies=[2, 2]).all()


PLAIN_SWAP_FAILS = [[0.2, 0.8], [0.8, 0.2], [0.8, 0.2]]


def test_the_swap_of_repeated_values_needs_its_one() -> None:
    """x twice among three people: the first has it with chance 1/9, theta to the others is 1/16."""
    exact = judge.full([1, 1, 1], [2, 1], PLAIN_SWAP_FAILS)
    assert exact is not None
    theta = 0.2 * 0.2 / (0.8 * 0.8)
    plain = 2 / (1 + 2 / theta)
    assert plain < exact[0][0]
    assert swap_bound(small([1, 1, 1]), small([2, 1]), np.array(PLAIN_SWAP_FAILS))[0, 0] >= exact[0][0]


@given(cases())
def test_swap_bounds_hold_for_the_full_adversary(case: Case) -> None:
    people, copies, priors = case
    exact = judge.full(people, copies, priors.tolist())
    if exact is None:
        return
    lower, upper = (bound(small(people), small(copies), priors) for bound in (swap_floor, swap_bound))
    for a, row in enumerate(exact):
        assert all(lower[a, x] <= share <= upper[a, x] for x, share in enumerate(row))


@given(cases())
def test_equal_signatures_hold_for_both_adversaries(case: Case) -> None:
    people, copies, priors = case
    bound = np.minimum(1.0, small(copies)[None, :] / small(people)[:, None])
    whole = judge.full(people, copies, priors.tolist())
    for x, count in enumerate(copies):
        alone = judge.marginal(people, count, priors[:, x].tolist())
        for a in range(len(people)):
            assert whole is None or holds(0.0, whole[a][x], bound[a, x])
            assert alone is None or holds(0.0, alone[a], bound[a, x])


@given(cases(st.floats(0.05, 0.95)), st.floats(1.0, 4.0))
def test_cleared_values_are_safe_for_the_marginal_adversary(case: Case, r: float) -> None:
    people, copies, priors = case
    violated = delta_violations(priors, r, people=people, copies=copies)
    by_person = delta_violations(np.repeat(priors, people, axis=0), r, copies=copies)
    np.testing.assert_array_equal(violated, by_person)
    for x in np.flatnonzero(~violated):
        exact = judge.marginal(people, copies[x], priors[:, x].tolist())
        assert exact is not None
        assert max(exact) <= 1 / r or float(max(exact)) == 1 / r


@given(st.integers(2, 7), st.floats(0.01, 0.9), st.floats(1.1, 3.0))
def test_the_ceiling_is_tight(people: int, largest: float, r: float) -> None:
    """One person at the top and all others at the ceiling below it: exactly 1/r."""
    assume(r <= people)
    apart = delta_ceiling(people, r, largest)
    if not 0 < apart < largest:
        return
    top, rest = largest / (1 - largest), (largest - apart) / (1 - largest + apart)
    assert top / (top + (people - 1) * rest) == pytest.approx(1 / r)


@given(st.integers(1, 9), st.fractions(0, 1), st.fractions(1, 9))
def test_the_ceiling_is_the_formula_in_fractions(people: int, largest: Fraction, r: Fraction) -> None:
    assume(r <= people)
    exact = Fraction(0)
    if largest < 1 and people > 1:
        exact = (people - r) * largest / (largest * (r - 1) / (1 - largest) + people - 1)
    assert delta_ceiling(people, float(r), float(largest)) == pytest.approx(float(exact), rel=1e-9, abs=1e-12)


def test_too_few_people_for_r_violate_it_with_every_value() -> None:
    assert delta_violations([[0.5, 0.5], [0.5, 0.5]], 3).all()
    assert not delta_violations([[0.5, 0.5], [0.5, 0.5]], 2).any()


GROUP = [[0.1, 0.2], [0.3, 0.4]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: delta_ceiling(0, 1, 0.5), "The 'N' parameter must be an int in [1, inf). Got 0 instead."),
        (lambda: delta_ceiling(2.5, 1, 0.5), "The 'N' parameter must be an int in [1, inf). Got 2.5 instead."),  # type: ignore[arg-type]
        (lambda: delta_ceiling(True, 1, 0.5), "The 'N' parameter must be an int in [1, inf). Got True instead."),
        (lambda: delta_ceiling(3, 0.5, 0.5), "The 'r' parameter must be a number in [1, N], N = 3. Got 0.5 instead."),
        (lambda: delta_ceiling(3, 4, 0.5), "The 'r' parameter must be a number in [1, N], N = 3. Got 4 instead."),
        (
            lambda: delta_ceiling(3, float("nan"), 0.5),
            "The 'r' parameter must be a number in [1, N], N = 3. Got nan instead.",
        ),
        (
            lambda: delta_ceiling(3, "2", 0.5),  # type: ignore[arg-type]
            "The 'r' parameter must be a number in [1, N], N = 3. Got '2' instead.",
        ),
        (lambda: delta_ceiling(3, 2, 1.5), "The 'f' parameter must be a number in [0, 1]. Got 1.5 instead."),
        (lambda: delta_ceiling(3, 2, -0.1), "The 'f' parameter must be a number in [0, 1]. Got -0.1 instead."),
        (lambda: delta_ceiling(3, 2, float("nan")), "The 'f' parameter must be a number in [0, 1]. Got nan instead."),
        (
            lambda: deviation([0.1, 0.2]),
            "The 'priors' parameter must be rows of numbers in [0, 1], one row for each person. "
            "Got an array of shape (2,) instead.",
        ),
        (
            lambda: deviation([[0.1, 0.2], [0.3]]),
            "The 'priors' parameter must be rows of numbers in [0, 1], one row for each person. "
            "Got [[0.1, 0.2], [0.3]] instead.",
        ),
        (
            lambda: delta_violations([[0.1, float("nan")]], 1),
            "The 'priors' parameter must be rows of numbers in [0, 1], one row for each person. Got nan instead.",
        ),
        (lambda: delta_violations(GROUP, 0), "The 'r' parameter must be a number in [1, inf). Got 0 instead."),
        (
            lambda: delta_violations(GROUP, 2, copies=[1]),
            "The 'copies' parameter must be 2 ints in [1, inf), one for each column of 'priors'. Got [1] instead.",
        ),
        (
            lambda: delta_violations(GROUP, 2, people=[1, 0]),
            "The 'people' parameter must be 2 ints in [1, inf), one for each row of 'priors'. Got [1, 0] instead.",
        ),
    ],
)
def test_bad_arguments_are_refused_in_one_line(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=r"^The '\w+' parameter must be ") as caught:
        call()
    assert str(caught.value) == message
