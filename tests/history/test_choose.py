"""n-Choose: the numbers of docs/theory/history.md, and comparisons that rounding would get wrong."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.publish.again.n_choose import choose, f


def test_a_lifespan_of_24_needs_degree_3() -> None:
    choice = choose(6, 0.04, 24, 0.1)
    assert choice.n == 3
    assert choice.can_be_published
    assert [round(value, 4) for value in choice.curve[:3]] == [0.9858, 0.1192, 0.0956]
    assert len(choice.curve) == 6


def test_a_lifespan_of_21_needs_degree_2() -> None:
    choice = choose(6, "0.04", 21, "0.1")
    assert choice.n == 2
    assert [round(value, 4) for value in choice.curve[:2]] == [0.9707, 0.0806]


def test_the_threshold_itself_is_not_below() -> None:
    exact = f(0.04, 24, 6, 3)
    assert choose(6, 0.04, 24, exact).n == 4
    assert choose(6, 0.04, 24, exact + Fraction(1, 10**60)).n == 3


def test_floats_are_the_decimals_that_were_written() -> None:
    assert f(0.04, 2, 3, 1) == f("0.04", 2, 3, 1) == f(Fraction(1, 25), 2, 3, 1)
    assert f("0.5", 1, 2, 1) == 1 - Fraction(1, 2) * Fraction(3, 4) ** 2


def test_nothing_may_be_achievable() -> None:
    choice = choose(3, 0.5, 24, 0.01)
    assert choice.n is None
    assert not choice.can_be_published
    assert choice.curve[0] > choice.curve[-1] > 0.01


def test_degree_m_is_chosen_but_cannot_be_published() -> None:
    exact = [f("0.5", 1, 2, n) for n in (1, 2)]
    choice = choose(2, "0.5", 1, sum(exact) / 2)
    assert choice.n == 2
    assert not choice.can_be_published


@pytest.mark.parametrize(
    ("m", "compromise", "lifespan", "threshold", "named"),
    [(1, 0.1, 3, 0.1, "'m'"), (3, 1.5, 3, 0.1, "'p'"), (3, 0.1, 0, 0.1, "'lifespan'"), (3, 0.1, 3, -1, "'threshold'")],
)
def test_parameters_outside_of_their_range(
    m: int, compromise: float, lifespan: int, threshold: float, named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        choose(m, compromise, lifespan, threshold)


@given(
    st.integers(2, 9),
    st.integers(1, 12),
    st.fractions(0, 1, max_denominator=50),
    st.fractions(0, 1, max_denominator=200),
    st.booleans(),
)
def test_bounds_decide_as_the_whole_fraction_does(
    m: int, lifespan: int, known: Fraction, limit: Fraction, itself: bool
) -> None:
    exact = [f(known, lifespan, m, n) for n in range(1, m + 1)]
    limit = exact[m // 2] if itself else limit
    choice = choose(m, known, lifespan, limit)
    assert choice.curve == tuple(map(float, exact))
    assert choice.n == next((n for n, value in enumerate(exact, 1) if value < limit), None)


def test_large_groups_and_long_lifespans_take_milliseconds() -> None:
    start = time.process_time()
    choice = choose(50, 0.04, 1_000, 0.1)
    longest = choose(1_000, "0.000001", 10_000, "0.9")
    assert time.process_time() - start < 3  # about 0.2 s; the fractions took minutes
    assert (choice.n, choice.curve[0]) == (None, 1.0)
    assert longest.n == 2


@pytest.mark.parametrize("known", ["1e-300", "0.999999999999999999999", 5e-324])
def test_chances_at_the_edges_of_doubles(known: str | float) -> None:
    assert choose(4, known, 3, 0).n is None
    assert choose(4, known, 3, 1).n == 1
    exact = [f(known, 3, 4, n) for n in range(1, 5)]
    choice = choose(4, known, 3, exact[1])
    assert (choice.n, choice.curve) == (3, tuple(map(float, exact)))
    assert choose(4, known, 3, exact[1] + Fraction(1, 10**18_000)).n == 2
