"""Formulas: counting against listing, closed blocks against counting, intervals against both."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.worlds.arrays import offsets
from deniable.worlds.judges import views as judge
from deniable.worlds.views import blocks, count_bounds, formula
from deniable.worlds.views.decay import Graph, Solver
from deniable.worlds.views.formula import Formula


@st.composite
def formulas(draw: st.DrawFn, most: int = 9) -> Formula:
    """Every variable in one clause of each of some views; the first clause is a person's."""
    variables = draw(st.integers(1, most))
    clauses: dict[tuple[int, int], list[int]] = {}
    for x, view in product(range(variables), range(draw(st.integers(2, 5)))):
        clauses.setdefault((view, draw(st.integers(0, 3))), []).append(x)
    members = tuple(tuple(entry) for entry in clauses.values())
    values = [-1] * variables
    for x in members[0]:
        values[x] = draw(st.integers(0, 2))
    return Formula(members, tuple(len(entry) for entry in members), tuple(values))


def graph_of(made: Formula) -> Graph:
    of = [[c for c, members in enumerate(made.clauses) if x in members] for x in range(len(made.values))]
    starts = offsets([len(members) for members in made.clauses])
    inside = np.array([x for members in made.clauses for x in members], np.int64)
    return Graph(np.array(of, np.int64), starts, inside, np.array(made.sizes, np.int32))


@given(formulas(), st.data())
def test_models_are_counted(made: Formula, data: st.DataObject) -> None:
    without = set(data.draw(st.lists(st.sampled_from(range(len(made.values))))))
    assert formula.models(made, without) == judge.models(len(made.values), made.clauses, without)


@given(formulas())
def test_intervals_hold_what_is_counted(made: Formula) -> None:
    solver = Solver(graph_of(made), 1e-9, 100_000)
    own = np.array(made.person(), np.int64)
    values = np.array([made.values[x] for x in own], np.int64)
    shares = solver.restricted(own, values, np.array([0], np.int64))
    for value in set(values.tolist()):
        exact = formula.unrestricted(made, value).exact
        low, high = solver.unrestricted(own[values == value])
        assert exact is not None
        assert Fraction(low) <= exact <= Fraction(high)
        assert high - low <= 1e-9
        single = formula.restricted(made, value)
        if single is None or single.exact is None:
            assert shares is None
        else:
            assert shares is not None
            assert Fraction(shares[value][0]) <= single.exact <= Fraction(shares[value][1])
            assert shares[value][1] - shares[value][0] <= 1e-9


@given(formulas(), st.integers(1, 12), st.integers(0, 20))
def test_any_cut_off_holds_too(made: Formula, budget: int, work: int) -> None:
    """However soon the recursion is stopped, the interval holds the truth."""
    solver = Solver(graph_of(made), 0.0, work)
    asked = np.array(made.person(made.values[made.clauses[0][0]]), np.int64)
    nothing = np.zeros(0, np.int64)
    low, high = solver.all_zero(asked, nothing, nothing, budget)
    truth = Fraction(formula.models(made, asked.tolist()), formula.models(made, ()))
    assert (2.0**low if low > -1e9 else 0.0) <= float(truth) * (1 + 1e-9)
    assert float(truth) <= 2.0**high * (1 + 1e-9)


@given(formulas(), st.integers(0, 20))
def test_any_cut_off_holds_for_one_value_too(made: Formula, work: int) -> None:
    """Shares of weights that are known as intervals only: each from the worst ends of all others."""
    own = np.array(made.person(), np.int64)
    values = np.array([made.values[x] for x in own], np.int64)
    shares = Solver(graph_of(made), 0.0, work).restricted(own, values, np.array([0], np.int64))
    for value in set(values.tolist()):
        single = formula.restricted(made, value)
        if shares is not None and single is not None and single.exact is not None:
            assert Fraction(shares[value][0]) <= single.exact <= Fraction(shares[value][1])


@pytest.mark.parametrize(
    ("m", "between", "nodes"),
    [(2, (2,), {0: 1, 1: 1}), (2, (1,), {0: 2, 1: 1}), (1, (2, 2), {0: 1, 1: 1}), (3, (), {0: 1, 1: 2})],
)
@pytest.mark.parametrize("a", [1, 2])
def test_blocks_are_counted(m: int, between: tuple[int, ...], nodes: dict[int, int], a: int) -> None:
    if a > m:
        return
    value_nodes = [v for v, count in nodes.items() for _ in range(count)]
    sides = [range(m), *(range(size) for size in between), range(len(value_nodes))]
    tuples = list(product(*sides))
    clauses = [[x for x, t in enumerate(tuples) if t[k] == node] for k, side in enumerate(sides) for node in side]
    values = tuple(value_nodes[t[-1]] if t[0] < a else -1 for t in tuples)
    made = Formula(tuple(map(tuple, clauses)), tuple(map(len, clauses)), values)
    for value in nodes:
        assert blocks.unrestricted(m, between, a, nodes, value) == formula.unrestricted(made, value)
        assert blocks.restricted(m, between, a, nodes, value) == formula.restricted(made, value)


@given(formulas(most=11))
def test_counts_alone_hold_the_truth(made: Formula) -> None:
    """The bounds from sizes, for a person who is the first clause."""
    own = set(made.person())
    touched = [(len(own & set(c)), len(c)) for c in made.clauses[1:] if own & set(c)]
    redundant = [(t, w) for t, w in touched if t == w == len(own)]
    sigma = sum(2.0 ** -(w - t) for t, w in touched if (t, w) not in redundant)
    values = sorted({made.values[x] for x in own})
    c = [len(made.person(v)) for v in values]
    size = len(values)
    reach = count_bounds.Reach(
        np.zeros(size, np.int64),
        np.array(values),
        np.ones(size, np.int64),
        np.array(c, float),
        np.full(size, float(len(own))),
    )
    found = count_bounds.bounds(reach, np.array([sigma]), np.array([1]))
    for i, value in enumerate(values):
        exact = formula.unrestricted(made, value).exact
        assert exact is not None
        assert Fraction(found.lower[i]) <= exact <= Fraction(found.upper[i])
        single = formula.restricted(made, value)
        if single is not None and single.exact is not None:
            assert Fraction(found.single_lower[i]) <= single.exact <= Fraction(found.single_upper[i])


def test_a_value_that_one_of_two_tuples_misses_is_never_the_only_one() -> None:
    kind, value, times = np.zeros(3, np.int64), np.array([0, 0, 1]), np.ones(3, np.int64)
    reach = count_bounds.Reach(kind, value, times, np.array([1.0, 1.0, 1.0]), np.array([2.0, 1.0, 2.0]))
    found = count_bounds.bounds(reach, np.array([0.25]), np.array([2]))
    assert found.single_lower.tolist() == found.single_upper.tolist() == [1.0, 0.0]
