"""Formulas: counting against listing, closed blocks against counting, intervals against both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deniable.worlds.arrays import offsets
from deniable.worlds.judges import views as judge
from deniable.worlds.views import blocks, count_bounds
from deniable.worlds.views.covers import exactly
from deniable.worlds.views.decay import Graph, Solver
from deniable.worlds.views.formula import Formula, Shares, shares


@dataclass(frozen=True)
class Listed:
    """A formula with all its clauses, each listing its variables: as the judge reads it."""

    clauses: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]

    @property
    def formula(self) -> Formula:
        """As the counter reads it, the first clause being the person's."""
        of = [tuple(c for c, members in enumerate(self.clauses) if x in members) for x in range(len(self.values))]
        return Formula((1,) * len(self.clauses), tuple(of), self.values, (0,))

    def person(self, value: int | None = None) -> list[int]:
        """The person's variables, with one value or all."""
        return [x for x, v in enumerate(self.values) if v >= 0 and (value is None or v == value)]

    def models(self, without: Iterable[int]) -> int:
        """What the judge counts."""
        return judge.models(len(self.values), self.clauses, set(without))


@st.composite
def formulas(draw: st.DrawFn, most: int = 9) -> Listed:
    """Every variable in one clause of each of some views; the first clause is a person's."""
    variables = draw(st.integers(1, most))
    clauses: dict[tuple[int, int], list[int]] = {}
    for x, view in product(range(variables), range(draw(st.integers(2, 5)))):
        clauses.setdefault((view, draw(st.integers(0, 3))), []).append(x)
    members = tuple(tuple(entry) for entry in clauses.values())
    values = [-1] * variables
    for x in members[0]:
        values[x] = draw(st.integers(0, 2))
    return Listed(members, tuple(values))


def graph_of(made: Listed) -> Graph:
    of = [[c for c, members in enumerate(made.clauses) if x in members] for x in range(len(made.values))]
    starts = offsets([len(members) for members in made.clauses])
    inside = np.array([x for members in made.clauses for x in members], np.int64)
    return Graph(np.array(of, np.int64), starts, inside, np.diff(starts).astype(np.int32))


def counted(made: Formula) -> Shares:
    found = shares(made, 10**9)
    assert found is not None
    return found


@given(formulas(most=11))
def test_worlds_are_counted(made: Listed) -> None:
    """All values in one pass, against one list of worlds for each question."""
    found, own = counted(made.formula), made.person()
    only = {v: made.models(set(own) - set(made.person(v))) for v in found}
    for value, (either, single) in found.items():
        assert either == exactly(1 - Fraction(made.models(made.person(value)), made.models(())))
        total = sum(only.values())
        assert single == (exactly(Fraction(only[value], total)) if total else None)


@st.composite
def bundled(draw: st.DrawFn) -> Formula:
    """Interchangeable clauses in each of three views; the person has one or two kinds of ID-side tuples."""
    copies = tuple(draw(st.integers(1, 2)) for _ in range(7))
    homes = st.sampled_from(range(3))
    bundle = st.tuples(homes, st.sampled_from([3, 4]), st.sampled_from([5, 6]))
    bundles = tuple(draw(st.lists(bundle, min_size=1, max_size=5, unique=True)))
    own = tuple({b[0] for b in bundles} - {draw(homes)})
    assume(own)
    values = tuple(draw(st.integers(0, 1)) if b[0] in own else -1 for b in bundles)
    made = Formula(copies, bundles, values, own)
    assume(made.tuples <= 14)
    return made


@given(bundled())
def test_interchangeable_clauses_are_counted_as_if_they_were_listed(made: Formula) -> None:
    tuples = [
        (value, tuple(zip(bundle, copy, strict=True)))
        for bundle, value in zip(made.bundles, made.values, strict=True)
        for copy in product(*(range(made.copies[k]) for k in bundle))
    ]
    clauses = sorted({end for _, ends in tuples for end in ends})
    listed = [[x for x, (_, ends) in enumerate(tuples) if end in ends] for end in clauses]

    def models(allowed: set[int]) -> int:
        without = {x for x, (value, _) in enumerate(tuples) if value >= 0 and value not in allowed}
        return judge.models(len(tuples), listed, without)

    found = counted(made)
    only = {v: models({v}) for v in found}
    for value, (either, single) in found.items():
        assert either.exact == 1 - Fraction(models(set(found) - {value}), models(set(found)))
        assert (single.exact if single else None) == (
            Fraction(only[value], sum(only.values())) if any(only.values()) else None
        )


@given(formulas(), st.integers(0, 60))
def test_a_count_that_takes_too_long_is_given_up(made: Listed, steps: int) -> None:
    assert shares(made.formula, steps) in (None, counted(made.formula))
    assert shares(made.formula, 1) is None


@given(formulas())
def test_intervals_hold_what_is_counted(made: Listed) -> None:
    solver = Solver(graph_of(made), 1e-9, 100_000)
    own = np.array(made.person(), np.int64)
    values = np.array([made.values[x] for x in own], np.int64)
    shares = solver.restricted(own, values, np.array([0], np.int64))
    for value in set(values.tolist()):
        exact = counted(made.formula)[value][0].exact
        low, high = solver.unrestricted(own[values == value])
        assert exact is not None
        assert Fraction(low) <= exact <= Fraction(high)
        assert high - low <= 1e-9
        single = counted(made.formula)[value][1]
        if single is None or single.exact is None:
            assert shares is None
        else:
            assert shares is not None
            assert Fraction(shares[value][0]) <= single.exact <= Fraction(shares[value][1])
            assert shares[value][1] - shares[value][0] <= 1e-9


@given(formulas(), st.integers(1, 12), st.integers(0, 20))
def test_any_cut_off_holds_too(made: Listed, budget: int, work: int) -> None:
    """However soon the recursion is stopped, the interval holds the truth."""
    solver = Solver(graph_of(made), 0.0, work)
    asked = np.array(made.person(made.values[made.clauses[0][0]]), np.int64)
    nothing = np.zeros(0, np.int64)
    low, high = solver.all_zero(asked, nothing, nothing, budget)
    truth = Fraction(made.models(asked.tolist()), made.models(()))
    assert (2.0**low if low > -1e9 else 0.0) <= float(truth) * (1 + 1e-9)
    assert float(truth) <= 2.0**high * (1 + 1e-9)


@given(formulas(), st.integers(0, 20))
def test_any_cut_off_holds_for_one_value_too(made: Listed, work: int) -> None:
    """Shares of weights that are known as intervals only: each from the worst ends of all others."""
    own = np.array(made.person(), np.int64)
    values = np.array([made.values[x] for x in own], np.int64)
    shares = Solver(graph_of(made), 0.0, work).restricted(own, values, np.array([0], np.int64))
    for value in set(values.tolist()):
        single = counted(made.formula)[value][1]
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
    sides = [a, m - a, *between, *nodes.values()]  # the person's ID-side tuples first
    homes = [0, 1] if m > a else [0]
    middle = range(2, 2 + len(between))
    bundles = [(home, *middle, 2 + len(between) + i) for home in homes for i in range(len(nodes))]
    values = [i if home == 0 else -1 for home in homes for i in range(len(nodes))]
    found = counted(Formula(tuple(sides), tuple(bundles), tuple(values), (0,)))
    for i, value in enumerate(nodes):
        assert blocks.unrestricted(m, between, a, nodes, value) == found[i][0]
        assert blocks.restricted(m, between, a, nodes, value) == found[i][1]


@given(formulas(most=11))
def test_counts_alone_hold_the_truth(made: Listed) -> None:
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
        exact = counted(made.formula)[value][0].exact
        assert exact is not None
        assert Fraction(found.lower[i]) <= exact <= Fraction(found.upper[i])
        single = counted(made.formula)[value][1]
        if single is not None and single.exact is not None:
            assert Fraction(found.single_lower[i]) <= single.exact <= Fraction(found.single_upper[i])


def test_a_value_that_one_of_two_tuples_misses_is_never_the_only_one() -> None:
    kind, value, times = np.zeros(3, np.int64), np.array([0, 0, 1]), np.ones(3, np.int64)
    reach = count_bounds.Reach(kind, value, times, np.array([1.0, 1.0, 1.0]), np.array([2.0, 1.0, 2.0]))
    found = count_bounds.bounds(reach, np.array([0.25]), np.array([2]))
    assert found.single_lower.tolist() == found.single_upper.tolist() == [1.0, 0.0]
