"""The closed forms: every checked number of the theory, and each form against the others."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from deniable.worlds.judges import views as judge
from deniable.worlds.views import covers
from deniable.worlds.views.covers import cover_share, enclosed, keyed, restricted, unrestricted, weight
from deniable.worlds.views.covers import covers as count
from deniable.worlds.views.quadruples import WEIGHT_ERROR, evaluate


def definition(m: int, n: int, a: int, c: int) -> int:
    """The double sum of the docstring, word for word."""
    return sum(
        (-1) ** (b1 + b2)
        * math.comb(c, b1)
        * math.comb(n - c, b2)
        * (2 ** (n - b1 - b2) - 1) ** (m - a)
        * (2 ** (n - c - b2) - 1) ** a
        for b1, b2 in product(range(c + 1), range(n - c + 1))
    )


def test_all_worlds() -> None:
    sizes = (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)
    assert [count(m, n, 0, 0) for m, n in sizes] == [7, 25, 265, 2161, 41503]


def test_worlds_with_the_pair() -> None:
    sizes = (2, 2), (2, 3), (3, 3), (3, 4)
    assert [count(m, n, 0, 0) - count(m, n, 1, 1) for m, n in sizes] == [5, 17, 161, 1265]


def test_restricted_worlds() -> None:
    sizes = (2, 2), (3, 3), (4, 3)
    with_value = [count(m, n, 1, n - 1) for m, n in sizes]
    assert with_value == [2, 32, 290]
    assert [n * w for (_, n), w in zip(sizes, with_value, strict=True)] == [4, 96, 870]


def test_empty_sides() -> None:
    assert count(0, 0, 0, 0) == 1
    assert [count(0, n, 0, 0) for n in (1, 2, 5)] == [0, 0, 0]
    assert [count(m, 0, 0, 0) for m in (1, 2, 5)] == [0, 0, 0]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3), (4, 2)])
def test_counts_are_counts(m: int, n: int) -> None:
    for a, c in product(range(m + 1), range(n + 1)):
        assert count(m, n, a, c) == judge.covers(m, n, a, c)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 3), (2, 2), (3, 2), (3, 3)])
def test_covers_are_listed_as_often_as_counted(m: int, n: int) -> None:
    listed = list(covers.every_cover(m, n))
    assert len(set(listed)) == len(listed) == judge.covers(m, n, 0, 0)
    assert all({i for i, _ in world} == set(range(m)) and {j for _, j in world} == set(range(n)) for world in listed)


@given(st.integers(1, 13), st.integers(1, 13), st.data())
def test_every_series_encloses_the_count(m: int, n: int, data: st.DataObject) -> None:
    a, c = data.draw(st.integers(0, m)), data.draw(st.integers(0, n))
    exact = definition(m, n, a, c)
    assert count(m, n, a, c) == exact
    share = Fraction(exact, 2 ** (m * n - a * c))
    ball = cover_share(m, n, a, c)
    assert ball.overlaps(arb(fmpq(share.numerator, share.denominator)))
    assert not exact or ball.rel_accuracy_bits() > 60


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_certified_probability_holds_the_exact_one(m: int, n: int, data: st.DataObject) -> None:
    a, c = data.draw(st.integers(1, m)), data.draw(st.integers(1, n))
    exact = 1 - Fraction(definition(m, n, a, c), definition(m, n, 0, 0))
    answer = unrestricted(m, n, a, c)
    if answer.exact is not None:
        assert answer.exact == exact
    assert answer.lower <= answer.value <= answer.upper
    assert Fraction(answer.lower) <= exact <= Fraction(answer.upper) or answer.exact == exact


@given(st.integers(1, 30), st.dictionaries(st.integers(1, 8), st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_certified_restricted_holds_the_exact_one(m: int, nodes: dict[int, int], data: st.DataObject) -> None:
    a = data.draw(st.integers(1, m))
    n = sum(c * k for c, k in nodes.items())
    total = sum(k * definition(m, n, a, n - c) for c, k in nodes.items())
    for c in nodes:
        answer = restricted(m, a, nodes, c)
        if not total:
            assert answer is None
            continue
        assert answer is not None
        exact = Fraction(definition(m, n, a, n - c), total)
        assert answer.exact == exact or Fraction(answer.lower) <= exact <= Fraction(answer.upper)


def test_unrestricted_is_never_below_one_half() -> None:
    for m, n in product(range(1, 12), repeat=2):
        for a, c in product(range(1, m + 1), range(1, n + 1)):
            assert unrestricted(m, n, a, c).value >= 0.5


def test_no_world_when_all_tuples_are_the_persons() -> None:
    assert restricted(2, 2, {1: 2}, 1) is None
    assert restricted(1, 1, {1: 2}, 1) is None
    assert restricted(1, 1, {3: 1}, 3) == covers.exactly(Fraction(1))
    assert restricted(10**6, 10**6, {1: 2}, 1) is None
    assert keyed(2, 3, 1) is None


@pytest.mark.parametrize(
    "shape",
    [
        (10**6, 10**6, 1, 1),
        (10**6, 10**6, 1, 5),
        (10**6, 3, 1, 1),
        (3, 10**6, 1, 7),
        (10**6, 10**6, 10**6 - 1, 10**6 - 1),
        (10**6, 10**6, 999_990, 30),
        (20, 10**6, 3, 10**6 - 1),
    ],
)
def test_a_million_tuples_in_under_a_millisecond(shape: tuple[int, int, int, int]) -> None:
    unrestricted(30, 30, 1, 1)  # the first call imports the ball arithmetic
    times = []
    for _ in range(5):
        unrestricted.cache_clear()
        start = time.perf_counter()
        answer = unrestricted(*shape)
        times.append(time.perf_counter() - start)
    assert min(times) < 1e-3
    assert (answer.upper - answer.lower) / answer.value < 1e-12
    assert weight(*shape).rel_accuracy_bits() > 60


@given(st.lists(st.tuples(st.integers(1, 200), st.integers(1, 200), st.integers(1, 3), st.integers(1, 9)), min_size=1))
def test_many_at_once_are_the_same_as_one_by_one(shapes: list[tuple[int, int, int, int]]) -> None:
    shapes = [(m, n, min(a, m), min(c, n)) for m, n, a, c in shapes]
    columns = (np.array(column, dtype=np.int64) for column in zip(*shapes, strict=True))
    table = evaluate(*columns)
    for i, shape in enumerate(shapes):
        one = unrestricted(*shape)
        assert table.lower[i] <= one.upper
        assert one.lower <= table.upper[i]
        ball = weight(*shape)
        if ball.is_zero():
            assert table.mantissa[i] == 0
            continue
        assert 0.5 <= table.mantissa[i] < 1
        ratio = ball / arb((1, int(table.exponent[i]))) / arb(float(table.mantissa[i]))
        assert abs(float(ratio.mid()) - 1) < WEIGHT_ERROR


def test_balls_are_rounded_outwards() -> None:
    third = enclosed(arb(1) / 3)
    assert Fraction(third.lower) < Fraction(1, 3) < Fraction(third.upper)
