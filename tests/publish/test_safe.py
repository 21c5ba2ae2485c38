"""Every group that is published, judged again by listing its worlds; and bytes that say nothing but groups."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.errors import Unachievable
from deniable.publish.bucketize import anatomy
from deniable.publish.bucketize.feasibility import Shortfall, bucketize, limit
from deniable.publish.bucketize.proof import ROOM, worst_in
from deniable.publish.bucketize.robust import KnownPriors, place
from deniable.publish.bytes import shuffle
from deniable.worlds.judges import groups as judge
from tests.publish.knowledge import estimated

VALUES = 4


def codes(draw: st.DrawFn, rows: int, most: int) -> np.ndarray:
    return np.array(draw(st.lists(st.integers(0, most), min_size=rows, max_size=rows)), np.int32)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[np.ndarray], np.ndarray, list[KnownPriors], float]:
    rows = draw(st.integers(1, 14))
    columns = [codes(draw, rows, 5), codes(draw, rows, 1)]
    values = codes(draw, rows, VALUES - 1)
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    knowledge = []
    for most in (1, 2):
        signatures = codes(draw, rows, most)
        priors = rng.dirichlet(np.full(VALUES, draw(st.sampled_from([0.5, 5.0]))), most + 1)
        if draw(st.booleans()):
            priors[0, 0] = 0.0
        knowledge.append(KnownPriors(signatures, priors) if draw(st.booleans()) else estimated(signatures, values))
    widths = [np.zeros((known.priors.shape[0], VALUES)) for known in knowledge]
    for width, known in zip(widths, knowledge, strict=True):
        width[:, : known.priors.shape[1]] = known.priors
    known_all = [KnownPriors(known.signatures, width) for known, width in zip(knowledge, widths, strict=True)]
    return columns, values, known_all, draw(st.sampled_from([1.5, 2.0, 3.0]))


def worst(rows: np.ndarray, values: np.ndarray, known: KnownPriors) -> Fraction:
    """The largest posterior of a group, from all its worlds."""
    ones, mine = [1] * len(rows), values[rows]
    kinds = sorted(set(mine.tolist()))
    priors = known.priors[np.ix_(known.signatures[rows], kinds)].tolist()
    copies = [int((mine == x).sum()) for x in kinds]
    full = judge.full(ones, copies, priors)
    assert full is not None
    largest = max(max(row) for row in full)
    for x, count in enumerate(copies):
        single = judge.marginal(ones, count, [row[x] for row in priors])
        assert single is not None
        largest = max(largest, *single)
    return largest


@settings(max_examples=100)
@given(tables())
def test_no_weights_tell_of_groups_made_for_fitted_ones(
    case: tuple[list[np.ndarray], np.ndarray, list[KnownPriors], float],
) -> None:
    """Drawn at random, by signature and value, in place of the priors; and the priors still hold."""
    columns, values, knowledge, r = case
    found = place(columns, values, knowledge, r, fitted=True)
    assert found.worst <= 1 / r
    rng = np.random.default_rng(len(values))
    for group in range(found.groups):
        rows = np.flatnonzero(found.group_of == group)
        for known in knowledge if len(rows) <= 7 else ():
            assert worst(rows, values, known) <= 1 / Fraction(r)
            drawn = KnownPriors(known.signatures, rng.dirichlet(np.full(VALUES, 0.2), len(known.priors)) * 0.9 + 0.02)
            kinds = sorted(set(values[rows].tolist()))
            copies = [int((values[rows] == x).sum()) for x in kinds]
            told = judge.full([1] * len(rows), copies, drawn.priors[np.ix_(known.signatures[rows], kinds)].tolist())
            assert told is not None
            assert max(max(row) for row in told) <= 1 / Fraction(r)


@settings(max_examples=100)
@given(tables())
def test_every_published_group_is_safe(case: tuple[list[np.ndarray], np.ndarray, list[KnownPriors], float]) -> None:
    columns, values, knowledge, r = case
    found = place(columns, values, knowledge, r)
    assert found.withheld == int((found.group_of < 0).sum())
    assert sorted(set(found.group_of[found.group_of >= 0].tolist())) == list(range(found.groups))
    largest = Fraction(0)
    for group in range(found.groups):
        rows = np.flatnonzero(found.group_of == group)
        if len(rows) > 7:
            continue  # too many worlds to list
        largest = max(largest, *(worst(rows, values, known) for known in knowledge))
    assert float(largest) <= found.worst <= 1.0 / r  # a share of people is the double nearest to it


@pytest.mark.parametrize("seed", range(8))
def test_what_is_proved_of_a_group_is_not_below_the_truth(seed: int) -> None:
    """Not by one bit: the nearest double would be below it in every other group."""
    everybody = np.arange(4, dtype=np.int32)
    known = KnownPriors(everybody, np.random.default_rng(seed).dirichlet(np.full(4, 5.0), 4))
    scratch, room = np.empty(ROOM + 3 * 16), np.empty(5 * 4, np.int32)
    found = worst_in(everybody, everybody[:, None], everybody, known.priors, False, np.inf, scratch, room)
    assert worst(everybody, everybody, known) <= Fraction(float(found))


def test_the_group_that_only_the_delta_bound_calls_safe_is_not_published() -> None:
    priors = np.array([[0.1, 0.0527, 0.0527], [0.0527, 0.1, 0.1], [0.0527, 0.1, 0.1]])
    values = np.arange(3, dtype=np.int32)
    signatures = np.arange(3, dtype=np.int32)
    found = place([signatures], values, [KnownPriors(signatures, priors)], 2.0)
    assert len(set(found.group_of.tolist())) != 1 or found.group_of[0] < 0


def test_what_stands_in_the_way() -> None:
    values = np.array([0] * 8 + [1, 2], np.int32)
    signatures = np.zeros(10, np.int32)
    found = bucketize([signatures], values, [estimated(signatures, values)], 2.0)
    assert isinstance(found, Shortfall)
    assert (found.signature, found.value, found.share) == (0, 0, 0.8)
    assert found.reachable < 2
    assert found.withheld > 0


def test_priors_of_signatures_that_nobody_has_leave_the_limit() -> None:
    values, signatures = np.array([0, 1, 0, 1], np.int32), np.zeros(4, np.int32)
    known = KnownPriors(signatures, np.array([[0.5, 0.5], [np.nan, np.nan]]))
    assert limit(values, [known]) == 2.0


@pytest.mark.parametrize("l", [2, 3, 4])
def test_plain_groups_have_different_values(l: int) -> None:  # noqa: E741
    rng = np.random.default_rng(l)
    values = rng.permutation(np.arange(200) % 5).astype(np.int32)
    columns = [rng.integers(0, 50, 200).astype(np.int32)]
    for group_of in (
        anatomy.bucketize(columns, values, l),
        anatomy.bucketize([rng.permutation(200).astype(np.int32)], values, l),
    ):
        for group in range(int(group_of.max()) + 1):
            mine = values[group_of == group]
            assert len(mine) >= l
            assert len(set(mine.tolist())) == len(mine)
    with pytest.raises(Unachievable, match="l = 5 is the most"):
        anatomy.bucketize(columns, values, 6)


def test_swapping_inside_a_group_changes_no_byte() -> None:
    rng = np.random.default_rng(5)
    group_of = (np.arange(60) // 4).astype(np.int32)
    group_of[:3] = -1
    values = rng.integers(0, 6, 60).astype(np.int32)
    swapped = values.copy()
    for group in range(1, 15):
        rows = np.flatnonzero(group_of == group)
        swapped[rows] = values[rng.permutation(rows)]
    one, two = shuffle(group_of, values, 3), shuffle(group_of, swapped, 3)
    for name in ("rows", "group_of_row", "values", "group_of_value"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert not np.array_equal(one.rows, shuffle(group_of, values, 4).rows)
    assert sorted(one.rows.tolist()) == np.flatnonzero(group_of >= 0).tolist()
