"""Posteriors against the judge: repeated values, repeated signatures, zeros, ones and priors next to nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable.worlds.groups import batches
from deniable.worlds.groups.batches import Groups
from deniable.worlds.groups.matchings import LANES, NO_WORLD, OK, TOO_MANY, UNKNOWN
from deniable.worlds.groups.posteriors import STATES, full_group, interval_group, marginal_group
from deniable.worlds.groups.sampling import large_group, proved_bounds
from deniable.worlds.judges import groups as judge

Floats = NDArray[np.float64]
Case = tuple[list[int], list[int], Floats]
PRIORS = st.sampled_from([0.0, 0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 1e-200]) | st.floats(0.001, 0.999)


def small(counts: list[int]) -> NDArray[np.int32]:
    return np.array(counts, np.int32)


def numbers(counts: list[int]) -> NDArray[np.int32]:
    return np.arange(len(counts), dtype=np.int32)


def ask(kernel: Callable[..., int], people: list[int], copies: list[int], priors: Floats) -> tuple[int, Floats]:
    out = np.empty(priors.shape)
    scratch = np.empty(2 * STATES + (1 << 18))
    return int(kernel(numbers(people), small(people), numbers(copies), small(copies), priors, out, scratch)), out


def around(people: list[int], copies: list[int], priors: Floats, out: Floats, is_full: bool) -> tuple[Floats, Floats]:
    lower, upper = np.empty(priors.shape), np.empty(priors.shape)
    group = numbers(people), small(people), numbers(copies), small(copies), priors
    interval_group(*group, out, is_full, lower, upper)
    return lower, upper


def holds(lower: float, exact: Fraction, upper: float) -> bool:
    """An end may also be the double nearest to the exact fraction."""
    return (lower <= exact or lower == float(exact)) and (exact <= upper or upper == float(exact))


@st.composite
def compositions(draw: st.DrawFn, total: int) -> list[int]:
    cuts = sorted(draw(st.sets(st.integers(1, total - 1)))) if total > 1 else []
    return [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]


@st.composite
def cases(draw: st.DrawFn, priors: st.SearchStrategy[float] = PRIORS, most: int = 6) -> Case:
    size = draw(st.integers(1, most))
    people, copies = draw(compositions(size)), draw(compositions(size))
    rows = st.lists(priors, min_size=len(copies), max_size=len(copies))
    return people, copies, np.array(draw(st.lists(rows, min_size=len(people), max_size=len(people))))


def flat(several: list[Case]) -> tuple[Groups, Floats]:
    """Groups side by side, each with rows of its own in one matrix of priors."""
    rows = np.cumsum([0, *(len(people) for people, _, _ in several)])
    width = np.cumsum([0, *(len(copies) for _, copies, _ in several)])
    priors = np.full((rows[-1], max(len(copies) for _, copies, _ in several)), np.nan)
    for start, (people, copies, own) in zip(rows, several, strict=False):
        priors[start : start + len(people), : len(copies)] = own
    return Groups(
        rows.astype(np.int64),
        np.arange(rows[-1], dtype=np.int32),
        np.concatenate([small(people) for people, _, _ in several]),
        width.astype(np.int64),
        np.concatenate([numbers(copies) for _, copies, _ in several]),
        np.concatenate([small(copies) for _, copies, _ in several]),
    ), priors


@given(cases())
def test_full_is_the_share_of_worlds(case: Case) -> None:
    people, copies, priors = case
    status, out = ask(full_group, people, copies, priors)
    exact = judge.full(people, copies, priors.tolist())
    if exact is None:
        assert status == NO_WORLD
        assert np.isnan(out).all()
        return
    assert status == OK
    lower, upper = around(people, copies, priors, out, True)
    for a, row in enumerate(exact):
        for x, share in enumerate(row):
            assert holds(lower[a, x], share, upper[a, x])
            assert lower[a, x] <= out[a, x] <= upper[a, x]
            assert upper[a, x] - lower[a, x] < 1e-13


@given(cases())
def test_marginal_is_the_share_of_worlds(case: Case) -> None:
    people, copies, priors = case
    _, out = ask(marginal_group, people, copies, priors)
    lower, upper = around(people, copies, priors, out, False)
    for x, count in enumerate(copies):
        exact = judge.marginal(people, count, priors[:, x].tolist())
        if exact is None:
            assert np.isnan(out[:, x]).all()
            continue
        for a, share in enumerate(exact):
            assert holds(lower[a, x], share, upper[a, x])
            assert lower[a, x] <= out[a, x] <= upper[a, x]
            assert upper[a, x] - lower[a, x] < 1e-13


@given(st.lists(cases(), min_size=1, max_size=5))
def test_many_at_once_are_the_same_as_one_by_one(several: list[Case]) -> None:
    batch, priors = flat(several)
    for together, kernel in ((batches.full, full_group), (batches.marginal, marginal_group)):
        answers = together(batch, priors)
        lower, upper = batches.intervals(answers, priors, together is batches.full)
        for g, (people, copies, own) in enumerate(several):
            status, out = ask(kernel, people, copies, own)
            assert answers.status[g] == status
            np.testing.assert_array_equal(answers.block(g), out)
            ends = around(people, copies, own, out, together is batches.full)
            block = slice(batch.offsets[g], batch.offsets[g + 1])
            np.testing.assert_array_equal((lower[block], upper[block]), np.reshape(ends, (2, -1)))


@pytest.mark.parametrize("size", [4, 7, 10])
def test_lanes_are_the_same_as_one_by_one(size: int) -> None:
    rng = np.random.default_rng(size)
    several: list[Case] = []
    for g in range(LANES + 11):
        copies = [1] * size if g % 3 else [2] + [1] * (size - 2)
        priors = rng.random((size, len(copies))) * (rng.random((size, len(copies))) < 0.8)
        several.append(([1] * size, copies, priors * 10.0 ** -(100 * (g == 5))))  # one too small for plain doubles
    batch, matrix = flat(several)
    answers = batches.full(batch, matrix)
    for g, (people, copies, priors) in enumerate(several):
        status, out = ask(full_group, people, copies, priors)
        assert answers.status[g] == status
        np.testing.assert_allclose(answers.block(g), out, rtol=1e-13, atol=1e-30)


def test_ten_different_people_are_a_ratio_of_permanents() -> None:
    priors = np.random.default_rng(3).integers(0, 8, (10, 10)) / 8
    status, out = ask(full_group, [1] * 10, [1] * 10, priors)
    assert status == OK
    lower, upper = around([1] * 10, [1] * 10, priors, out, True)
    exact = [[Fraction(p) for p in row] for row in priors.tolist()]
    whole = judge.permanent(exact)
    for x in (0, 4, 9):
        minor = [[p for y, p in enumerate(row) if y != x] for row in exact[1:]]
        assert holds(lower[0, x], exact[0][x] * judge.permanent(minor) / whole, upper[0, x])


@pytest.mark.parametrize("scale", [1.0, 2.0**-40])
def test_hundreds_of_people_do_not_underflow(scale: float) -> None:
    """Two signatures, two values: j of the first n people have x with weight C(n,j) C(n,n-j) odds^j."""
    n = 100
    priors = np.array([[0.5, 0.0625], [0.375, 0.25]]) * scale
    status, out = ask(full_group, [n, n], [n, n], priors)
    assert status == OK
    odds = Fraction(0.5) * Fraction(0.25) / (Fraction(0.0625) * Fraction(0.375))
    weights = [comb(n, j) * comb(n, n - j) * odds**j for j in range(n + 1)]
    exact = sum((w * j for j, w in enumerate(weights)), Fraction()) / n / sum(weights)
    lower, upper = around([n, n], [n, n], priors, out, True)
    assert holds(lower[0, 0], exact, upper[0, 0])
    assert upper[0, 0] - lower[0, 0] < 1e-10


def test_marginal_with_hundreds_of_holders() -> None:
    status, out = ask(marginal_group, [300, 200], [250, 250], np.array([[0.001, 0.9], [0.002, 0.99]]))
    assert status == OK
    assert 300 * out[0] + 200 * out[1] == pytest.approx([250, 250])


def test_homogeneous_groups_are_exact() -> None:
    priors = np.array([[0.3, 0.1, 0.2]] * 3)
    for is_full, kernel in ((True, full_group), (False, marginal_group)):
        _, out = ask(kernel, [1, 1, 1], [1, 1, 1], priors)
        lower, upper = around([1, 1, 1], [1, 1, 1], priors, out, is_full)
        assert set(np.ravel([lower, out, upper]).tolist()) == {1 / 3}


def test_a_value_that_only_one_signature_can_have_stays_at_its_share() -> None:
    priors = np.array([[0.3, 0.7], [0.0, 1.0]])
    _, out = ask(full_group, [2, 2], [1, 3], priors)
    assert out[0, 0] == around([2, 2], [1, 3], priors, out, True)[1][0, 0] == 0.5


def test_example_1() -> None:
    """{Male .1, Female .003}: Alan has lung cancer."""
    _, out = ask(marginal_group, [1, 1], [1, 1], np.array([[0.1, 0.9], [0.003, 0.997]]))
    assert out[0, 0] == pytest.approx(0.97363, abs=5e-6)
    _, both = ask(full_group, [1, 1], [1, 1], np.array([[0.1, 0.9], [0.003, 0.997]]))
    assert both == pytest.approx(out)


def test_merging_two_safe_groups_can_expose() -> None:
    """.5, .5 and .01, .01 with x once in each are safe for r = 2; together, x twice, they are not."""
    for p in (0.5, 0.01):
        _, out = ask(marginal_group, [2], [1, 1], np.array([[p, 1 - p]]))
        assert out.max() == 0.5
    _, merged = ask(marginal_group, [2, 2], [2, 2], np.array([[0.5, 0.5], [0.01, 0.99]]))
    assert merged[0, 0] == pytest.approx(0.98, abs=5e-3)


def test_knowledge_with_gaps() -> None:
    priors = np.array([[0.2, np.nan], [0.1, 0.3]])
    status, out = ask(full_group, [1, 1], [1, 1], priors)
    assert status == UNKNOWN
    assert np.isnan(out).all()
    status, out = ask(marginal_group, [1, 1], [1, 1], priors)
    assert status == UNKNOWN
    assert np.isnan(out).tolist() == [[False, True], [False, True]]


def test_certain_knowledge() -> None:
    _, out = ask(marginal_group, [1, 2], [1, 2], np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert out.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    status, _ = ask(marginal_group, [2, 1], [1, 2], np.array([[1.0, 0.1], [0.5, 0.5]]))
    assert status == NO_WORLD


def test_too_many_states_for_the_memory() -> None:
    size = 12
    priors, out = np.random.default_rng(0).random((size, size)), np.empty((size, size))
    one, each = np.arange(size, dtype=np.int32), np.ones(size, np.int32)
    assert full_group(one, each, one, each, priors, out, np.empty(4096)) == TOO_MANY
    assert np.isnan(out).all()
    assert full_group(one, each, one, each, priors, out, np.empty(2 * 4096 + 1000)) == OK
    assert full_group(one, each, one, each, priors, out, np.empty(8)) == TOO_MANY
    assert marginal_group(one, each, one, each, priors, out, np.empty(1000)) == OK


def test_groups_must_fit() -> None:
    offsets, codes = np.array([0, 1]), np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="as many values as people"):
        Groups(offsets, codes, small([2]), offsets, codes, small([1]))
    with pytest.raises(ValueError, match="different numbers of groups"):
        Groups(offsets, codes, small([1]), np.array([0, 1, 1]), codes, small([1]))


@given(cases())
def test_proved_bounds_hold(case: Case) -> None:
    people, copies, priors = case
    exact = judge.full(people, copies, priors.tolist())
    if exact is None:
        assert large_group(small(people), small(copies), priors).status == NO_WORLD
        return
    lower, upper = proved_bounds(small(people), small(copies), priors)
    for a, row in enumerate(exact):
        assert all(holds(lower[a, x], share, upper[a, x]) for x, share in enumerate(row))


def spread_out(seed: int, people: list[int], copies: list[int], spread: float) -> Floats:
    rng = np.random.default_rng(seed)
    common = rng.dirichlet(np.full(len(copies), 3.0))
    priors: Floats = np.minimum(1.0, common * np.exp(spread * rng.normal(size=(len(people), len(copies)))))
    return priors


@pytest.mark.parametrize("seed", range(12))
def test_drawn_intervals_hold_the_exact_posteriors(seed: int) -> None:
    """With so few states allowed that a group must be drawn which the dynamic program still answers."""
    people = [1] * 10 if seed % 2 else [2, 1, 1, 3, 1, 1]
    copies = ([1] * (sum(people) - 3) + [3]) if seed % 3 else [4, sum(people) - 4]
    priors = spread_out(seed, people, copies, 0.5)
    priors[0, 0] *= seed % 4 > 0
    status, exact = ask(full_group, people, copies, priors)
    assert status == OK
    drawn = large_group(small(people), small(copies), priors, states=40, draws=400, trials=200_000, seed=seed)
    assert drawn.draws > 100
    assert (drawn.lower <= exact).all()
    assert (exact <= drawn.upper).all()
    assert (drawn.upper - drawn.lower).max() < 0.5


def test_draws_are_unbiased() -> None:
    people, copies = [1, 1, 2, 1], [2, 1, 1, 1]
    priors = spread_out(1, people, copies, 0.7)
    _, exact = ask(full_group, people, copies, priors)
    drawn = large_group(small(people), small(copies), priors, states=12, draws=20_000, trials=600_000)
    assert drawn.draws == 20_000
    assert np.abs(drawn.value - exact).max() < 0.022
    assert (drawn.upper - drawn.lower).max() < 0.07


def test_when_nothing_survives_the_proved_bounds_remain() -> None:
    people, copies = [1] * 30, [1] * 30
    priors = np.random.default_rng(2).random((30, 30)) ** 9
    wide = large_group(small(people), small(copies), priors, states=4_000, trials=1000)
    assert (wide.status, wide.draws) == (TOO_MANY, 0)
    assert (wide.lower <= wide.upper).all()
    assert large_group(small(people), small(copies), np.full((30, 30), np.nan)).status == UNKNOWN
