"""Plain groups on any table: cut exactly where eligibility allows it, the same each time, and close."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable.errors import Unachievable
from deniable.publish.bucketize import anatomy
from deniable.publish.bucketize.feasibility import limit
from deniable.publish.bucketize.robust import KnownPriors, place
from deniable.publish.bytes import shuffle
from tests.few import few
from tests.publish.knowledge import estimated

Ints = NDArray[np.int32]


def codes(draw: st.DrawFn, rows: int, most: int) -> Ints:
    return np.array(draw(st.lists(st.integers(0, most), min_size=rows, max_size=rows)), np.int32)


@st.composite
def plain_tables(draw: st.DrawFn) -> tuple[list[Ints], Ints, int]:
    rows = draw(st.integers(1, 120))
    columns = [codes(draw, rows, most) for most in draw(st.sampled_from([(), (3,), (1, 9), (200_000, 2)]))]
    return columns, codes(draw, rows, draw(st.integers(1, 8))), draw(st.integers(1, 4))


@settings(max_examples=few(60, nightly=2_000))
@given(plain_tables())
def test_cut_exactly_where_eligible(case: tuple[list[Ints], Ints, int]) -> None:
    columns, values, l = case  # noqa: E741
    if np.bincount(values).max() * l > len(values):
        with pytest.raises(Unachievable):
            anatomy.bucketize(columns, values, l)
        return
    group_of = anatomy.bucketize(columns, values, l)
    sizes = np.bincount(group_of)
    groups = len(values) // l
    assert len(sizes) == groups
    assert sizes.max() <= -(-len(values) // groups)  # l or l + 1 as soon as there are l groups
    assert sizes.min() >= l
    pairs = set(zip(group_of.tolist(), values.tolist(), strict=True))
    assert len(pairs) == len(values)  # nobody shares a value inside a group
    assert np.array_equal(group_of, anatomy.bucketize(columns, values, l))


@pytest.mark.usefixtures("compiling")
def test_large_pieces_are_shared_among_cores() -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 9, 20_000).astype(np.int32)
    columns = [rng.integers(0, 100, 20_000).astype(np.int32), rng.integers(0, 5, 20_000).astype(np.int32)]
    group_of = anatomy.bucketize(columns, values, 4)
    sizes = np.bincount(group_of)
    assert set(sizes.tolist()) == {4}
    assert len(np.unique(group_of.astype(np.int64) * 9 + values)) == 20_000
    order = np.argsort(group_of, kind="stable")
    extent = np.ptp(columns[0][order].reshape(-1, 4), axis=1).mean()
    random = anatomy.bucketize([rng.permutation(20_000).astype(np.int32)], values, 4)
    far = np.ptp(columns[0][np.argsort(random, kind="stable")].reshape(-1, 4), axis=1).mean()
    assert extent < far / 10


def test_cells_are_enough_where_values_are_even() -> None:
    rng = np.random.default_rng(3)
    gender = rng.integers(0, 2, 4_000).astype(np.int32)
    values = rng.integers(0, 12, 4_000).astype(np.int32)
    found, again, other = (place([gender], values, [estimated(gender, values)], 4.0, seed=seed) for seed in (1, 1, 2))
    assert (found.withheld, found.worst, found.searched) == (0, 0.25, 0)
    assert np.array_equal(found.group_of, again.group_of)
    assert not np.array_equal(found.group_of, other.group_of)


def test_everybody_finds_a_group_in_a_cell_whatever_the_order_of_rows() -> None:
    order = np.random.default_rng(2).permutation(24).astype(np.int32)
    gender, values = order % 2, order // 2 % 3
    found = place([gender], values, [estimated(gender, values)], 3.0)
    assert (found.groups, found.withheld) == (8, 0)
    for group in range(found.groups):
        assert sorted(values[found.group_of == group].tolist()) == [0, 1, 2]
        assert len(set(gender[found.group_of == group].tolist())) == 1


def test_people_join_groups_of_others_before_they_are_withheld() -> None:
    """A value that is frequent in one signature: its surplus holders need cover from the other."""
    rng = np.random.default_rng(4)
    signature = np.repeat(np.arange(2, dtype=np.int32), 400)
    values = np.where(
        rng.random(800) < np.where(signature == 0, 0.30, 0.12), 0, rng.integers(1, 20, 800)
    ).astype(np.int32)  # fmt: skip
    priors = np.full((2, 20), 0.05)
    priors[:, 0] = 0.30, 0.25
    found = place([signature], values, [KnownPriors(signature, priors)], 4.0)
    surplus = int((values[signature == 0] == 0).sum()) - 100
    assert surplus > 0
    assert found.withheld < surplus
    assert found.worst <= 0.25


def test_whoever_is_certain_is_withheld() -> None:
    signature = np.array([0, 1, 1, 1, 1], np.int32)
    priors = np.array([[1.0, 0.0, 0.0], [0.2, 0.4, 0.4]])
    values = np.array([0, 0, 1, 2, 1], np.int32)
    knowledge = [KnownPriors(signature, priors)]
    found = place([signature], values, knowledge, 2.0)
    assert found.group_of[0] == -1
    assert limit(values, knowledge) == 1.0


def test_whoever_has_a_value_of_unknown_prior_is_withheld() -> None:
    signature = np.array([0, 1, 0, 1], np.int32)
    priors = np.array([[np.nan, 0.3, 0.3, 0.3], [np.nan, 0.3, 0.3, 0.3]])
    found = place([signature], np.arange(4, dtype=np.int32), [KnownPriors(signature, priors)], 3.0)
    assert found.group_of.tolist() == [-1, 0, 0, 0]


@pytest.mark.parametrize("r", [0.5, float("nan")])
def test_r_is_at_least_one(r: float) -> None:
    one = np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="Got"):
        place([one], one, [estimated(one, one)], r)


def test_without_a_seed_no_two_orders_are_alike() -> None:
    group_of = (np.arange(400) // 4).astype(np.int32)
    values = (np.arange(400) % 4).astype(np.int32)
    assert not np.array_equal(shuffle(group_of, values).rows, shuffle(group_of, values).rows)
