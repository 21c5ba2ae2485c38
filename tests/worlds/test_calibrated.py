"""Weights fitted to groups, against the judge that lists every world and solves in four hundred bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable.worlds.groups.calibrated import NO_FIT, Calibrated, Statistics, calibrate
from deniable.worlds.groups.matchings import OK
from deniable.worlds.groups.shapes import coordinates, counts_of, shapes
from deniable.worlds.judges import calibrated as judge
from tests.few import few

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Table:
    """People: their group (-1: none), signature and value."""

    group_of: Ints
    signatures: Ints
    values: Ints

    @property
    def counts(self) -> NDArray[np.int64]:
        counts = np.zeros((self.signatures.max() + 1, self.values.max() + 1), np.int64)
        np.add.at(counts, (self.signatures, self.values), 1)
        return counts

    @property
    def apart(self) -> NDArray[np.int64]:
        return np.bincount(self.signatures[self.group_of < 0], minlength=len(self.counts)).astype(np.int64)

    def fit(self, counts: NDArray[np.int64]) -> tuple[Calibrated, list[list[tuple[int, int, int]]]]:
        """What was found, and for each group its cells: (signature, value, place among the answers)."""
        groups = int(self.group_of.max()) + 1
        shape, found = shapes(
            counts_of(self.group_of, self.signatures), counts_of(self.group_of, self.values), groups
        )  # fmt: skip
        often = np.bincount(shape, minlength=len(found)).astype(np.int64)
        of_cell, s, x = coordinates(found)
        cells = [[(int(s[i]), int(x[i]), int(i)) for i in np.flatnonzero(of_cell == one)] for one in shape]
        return calibrate(found, often, Statistics(counts, self.apart)), cells

    def judged(self, counts: NDArray[np.int64]) -> list[dict[tuple[int, int], float]] | None:
        inside = [np.flatnonzero(self.group_of == g) for g in range(int(self.group_of.max()) + 1)]
        groups = [(self.signatures[rows].tolist(), self.values[rows].tolist()) for rows in inside]
        told = {(s, x): int(count) for (s, x), count in np.ndenumerate(counts)}
        return judge.fitted(groups, told, {s: int(n) for s, n in enumerate(self.apart) if n})


@st.composite
def tables(draw: st.DrawFn) -> Table:
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    loose = draw(st.integers(0, 2))
    group_of = np.repeat(np.arange(-1, len(sizes)), [loose, *sizes]).astype(np.int32)

    def codes(most: int) -> Ints:
        one = st.integers(0, most - 1)
        return np.array(draw(st.lists(one, min_size=len(group_of), max_size=len(group_of))), np.int32)

    return Table(group_of, codes(draw(st.integers(2, 3))), codes(draw(st.integers(2, 3))))


def agrees(table: Table) -> bool:
    """Whether everybody was answered; whoever was is answered as the judge does."""
    found, cells = table.fit(table.counts)
    truth = table.judged(table.counts)
    assert truth is not None
    for one, places in zip(truth, cells, strict=True):
        for s, x, i in places:
            assert found.lower[i] - 1e-15 <= one.get((s, x), 0.0) <= found.upper[i] + 1e-15
            assert np.isnan(found.value[i]) or found.upper[i] - found.lower[i] < 1e-6
    return bool((found.status == OK).all())


@given(tables())
@settings(max_examples=few(25, nightly=1_000))
def test_whoever_is_answered_has_what_the_judge_says(table: Table) -> None:
    agrees(table)


def test_nearly_everybody_is_answered() -> None:
    """Also where the counts force some cells of some groups."""
    rng = np.random.default_rng(5)
    answered = 0
    for _ in range(20):
        group_of = np.repeat(np.arange(-1, 4), [rng.integers(0, 3), *rng.integers(1, 5, 4)]).astype(np.int32)
        rows = len(group_of)
        answered += agrees(Table(group_of, rng.integers(0, 3, rows, np.int32), rng.integers(0, 3, rows, np.int32)))
    assert answered >= 18


def two_groups(values: list[int]) -> Table:
    return Table(
        np.array([0, 0, 0, 1, 1, 1], np.int32), np.array([0, 0, 1, 0, 1, 1], np.int32), np.array(values, np.int32)
    )


def test_the_full_adversary_is_below_and_the_fitted_one_knows() -> None:
    """Of s, who are in both groups, one has x; only one group has it: 1/2 for each of the two, and not the 2/3 of
    those whose chances are the table's shares. With the other count it would be whoever is left."""
    table = two_groups([0, 1, 1, 1, 1, 1])
    found, cells = table.fit(table.counts)
    place = {(s, x): i for s, x, i in cells[0]}
    assert found.value[place[0, 0]] == pytest.approx(0.5)
    assert found.lower[place[1, 0]] == found.upper[place[1, 0]] == 0.0


def test_counts_that_are_not_the_groups_fit_nothing() -> None:
    table = two_groups([0, 1, 1, 1, 1, 1])
    counts = table.counts.copy()
    counts[0, 0] += 1
    assert (table.fit(counts)[0].status == NO_FIT).all()
    counts[1, 0] -= 1  # negative
    assert (table.fit(counts)[0].status == NO_FIT).all()


def test_a_count_that_no_world_of_the_groups_has_fits_nothing() -> None:
    """The right sums, but the first group has no two copies of x, and the second none."""
    table = two_groups([0, 1, 1, 1, 1, 1])
    counts = np.array([[2, 1], [-1, 4]])
    assert (table.fit(counts)[0].status == NO_FIT).all()
    assert (table.fit(np.array([[0, 3], [1, 2]]))[0].status == OK).all()  # the other one has it: possible


def test_an_interval_holds_where_the_weights_do_not_fit_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved does not depend on how well they do: here they are moved away at random."""
    from deniable.worlds.groups import calibrated as module

    newton, rng, wide = module._newton, np.random.default_rng(3), 0

    def less_well(fit: module._Fit, states: int) -> tuple[NDArray[np.float64], module._Expected | None]:
        log, _ = newton(fit, states)
        log = log + rng.normal(0, 10 ** rng.uniform(-6, -2), len(log))
        return log, module._expected(fit, log, states)

    monkeypatch.setattr(module, "_newton", less_well)
    for _ in range(25):
        group_of = np.repeat(np.arange(6), 4).astype(np.int32)
        table = Table(group_of, rng.integers(0, 2, 24, np.int32), rng.integers(0, 3, 24, np.int32))
        found, cells = table.fit(table.counts)
        truth = table.judged(table.counts)
        assert truth is not None
        for one, places in zip(truth, cells, strict=True):
            for s, x, i in places:
                wide += not np.isnan(found.value[i]) and found.upper[i] - found.lower[i] > 1e-5
                assert found.lower[i] - 1e-15 <= one.get((s, x), 0.0) <= found.upper[i] + 1e-15
    assert wide > 100
