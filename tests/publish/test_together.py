"""An r that is no whole number: groups may have copies of a value, and what can be had is found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.publish.bucketize.feasibility import bucketize
from deniable.publish.bucketize.robust import Bucketized, KnownPriors, place
from tests.publish.knowledge import estimated


def test_five_people_with_two_copies_of_two_values_are_one_group_at_2_5() -> None:
    values, signatures = np.array([0, 0, 1, 1, 2], np.int32), np.zeros(5, np.int32)
    found = bucketize([signatures], values, [estimated(signatures, values)], 2.5)
    assert isinstance(found, Bucketized)
    assert (found.groups, found.withheld, found.worst) == (1, 0, 0.4)


def test_many_people_are_not_one_group() -> None:
    """Two values with 40 % each: groups of five, not one of a hundred."""
    values = np.repeat(np.array([0, 1, 2], np.int32), (40, 40, 20))
    signatures = np.zeros(100, np.int32)
    found = place([signatures], values, [estimated(signatures, values)], 2.5)
    assert (found.groups, found.withheld, found.worst) == (20, 0, 0.4)


@settings(max_examples=60)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=5), st.sampled_from([1.2, 1.5, 1.75, 2.25, 2.5, 8 / 3, 3.3]))
def test_people_who_are_alike_are_placed_exactly_where_no_value_is_too_frequent(counts: list[int], r: float) -> None:
    values = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    signatures = np.zeros(len(values), np.int32)
    known = KnownPriors(signatures, np.full((1, len(counts)), 1 / len(counts)))
    found = place([signatures], values, [known], r)
    assert found.worst <= 1 / r
    assert (found.withheld == 0) == (max(counts) / sum(counts) <= 1 / r)


def test_neighbours_help_each_other() -> None:
    """Two signatures that hardly differ, five people with two copies of two values between them."""
    values, signatures = np.array([0, 0, 1, 1, 2], np.int32), np.array([0, 1, 0, 1, 0], np.int32)
    known = KnownPriors(signatures, np.array([[0.4, 0.4, 0.2], [0.4001, 0.3999, 0.2]]))
    found = place([signatures], values, [known], 2.4)
    assert (found.groups, found.withheld) == (1, 0)
    assert found.worst <= 1 / 2.4


@pytest.mark.parametrize("r", [2.0, 2.5])
def test_no_group_has_a_pair_of_unknown_chance(r: float) -> None:
    """Of the first signature one value is not told: whoever has it cannot be published with others of theirs."""
    values = np.array([0, 1, 2, 3] * 4, np.int32)
    signatures = np.array([0] * 8 + [1] * 8, np.int32)
    known = KnownPriors(signatures, np.array([[0.2, 0.2, 0.2, np.nan], [0.25, 0.25, 0.25, 0.25]]))
    found = place([signatures], values, [known], r)
    assert (found.group_of[(signatures == 0) & (values == 3)] < 0).all()
    assert found.groups > 0
    for group in range(found.groups):
        rows = found.group_of == group
        assert not np.isnan(known.priors[np.ix_(signatures[rows], values[rows])]).any()


def test_a_drawn_group_may_be_larger_than_any_that_is_searched() -> None:
    """24 of 29 people have one value, just below 1/1.208: only one group of all of them bears that. Others are left."""
    values = np.array([0] * 24 + [1] * 5 + [0, 0, 1, 2, 3, 3], np.int32)
    signatures = np.array([0] * 29 + [1, 1, 1, 2, 2, 3], np.int32)
    known = KnownPriors(signatures, np.tile([0.4, 0.3, 0.2, 0.1], (4, 1)))
    found = place([signatures], values, [known], 1.208, seed=1)
    assert len(set(found.group_of[:29].tolist())) == 1
    assert found.searched > 0
    assert (found.withheld, found.worst) == (0, 24 / 29)
