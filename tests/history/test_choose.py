"""n-Choose: the numbers of docs/theory/history.md, and comparisons that rounding would get wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

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
