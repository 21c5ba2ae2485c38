"""Bounds for the chance of the true value, against all worlds of small histories of groups that stay."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deniable.worlds.history.histories import from_lists
from deniable.worlds.history.lineage_bounds import Bounded, by_exchange
from tests.worlds.small import knowing
from tests.worlds.test_lineage_cycles import Told, lineages, told


def bounded(case: Told, known: list[int]) -> Bounded:
    values, truth, releases = case
    history = from_lists(len(truth), values, releases)
    return by_exchange(history, np.array(truth, np.int32), knowing({p: truth[p] for p in known}))


def chances(case: Told, known: list[int]) -> list[Fraction]:
    """The share of worlds in which each person has the true value."""
    values, truth, releases = case
    groups = [(who, Counter(has)) for groups in releases for who, has in groups]
    often, worlds = [0] * len(truth), 0
    for world in product(*([v] if p in known else range(values) for p, v in enumerate(truth))):
        if all(Counter(world[p] for p in who) == has for who, has in groups):
            worlds += 1
            for p, v in enumerate(world):
                often[p] += v == truth[p]
    return [Fraction(some, worlds) for some in often]


@given(lineages(), st.data())
def test_no_chance_is_above_its_bound(case: Told, data: st.DataObject) -> None:
    known = data.draw(st.lists(st.sampled_from(range(len(case[1]))), unique=True, max_size=3))
    found = bounded(case, known)
    for p, chance in enumerate(chances(case, known)):
        assert chance <= Fraction(float(found.high[p])) * (1 + Fraction(1, 10**9))
        assert found.inside[p] or found.high[p] == 1


def test_values_alike() -> None:
    """Nobody knows anything: all three values are alike. Who has 0 is known once: the two others are."""
    case = told([0, 1, 2, 0, 1, 2, 1, 2], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 6, 7])
    assert bounded(case, []).high.tolist() == [1 / 3] * 8
    assert bounded(case, [3]).high[[1, 2, 6]].tolist() == [1 / 2] * 3


def test_people_alike() -> None:
    """Of the four who are not known, who enter and leave together, one has the first value, and one the second."""
    case = told([0, 0, 1, 1, 2, 2], [0, 1, 2, 3, 4, 5])
    found = bounded(case, [0, 2])
    assert found.high.tolist() == [1.0, 1 / 4, 1.0, 1 / 4, 1 / 2, 1 / 2]
    assert chances(case, [0, 2])[1] == Fraction(1, 4)


def test_whoever_is_in_two_lineages_is_outside() -> None:
    case = 2, [0, 1, 0, 1], [[([0, 1], [0, 1])], [([1, 2], [0, 1])], [([0, 3], [0, 1]), ([1, 2], [0, 1])]]
    assert not bounded(case, []).inside.any()
    assert bounded(case, [0]).inside.all()
