"""Where r cannot be had, the r that is named instead was built, and is the best that five builds find."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.publish.bucketize import feasibility
from deniable.publish.bucketize.feasibility import Shortfall, bucketize
from deniable.publish.bucketize.robust import Bucketized, KnownPriors, place
from deniable.worlds.arrays import Int32s
from tests.publish.knowledge import estimated


def alike(*counts: int) -> tuple[Int32s, Int32s, KnownPriors]:
    """People of one signature, so many of each value."""
    values = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    signatures = np.zeros(len(values), np.int32)
    return values, signatures, estimated(signatures, values)


def test_r_2_that_works_for_everybody_is_named_where_4_does_not() -> None:
    values = np.array([0, 1] * 9 + [0, 1, 2, 3] * 3, np.int32)
    signatures = np.repeat(np.array([0, 1], np.int32), (18, 12))
    known = estimated(signatures, values)
    assert place([signatures], values, [known], 2.0).withheld == 0
    found = bucketize([signatures], values, [known], 4.0)
    assert isinstance(found, Shortfall)
    assert found.reachable >= 2
    assert place([signatures], values, [known], found.reachable).withheld == 0


@pytest.mark.parametrize(("counts", "best"), [((5, 3, 2), 2), ((4, 4, 2), 2.5), ((3, 3, 3), 3), ((7, 3), 1.428)])
def test_what_no_value_stands_in_the_way_of_is_named(counts: tuple[int, ...], best: float) -> None:
    """The share of the most frequent value is a limit for any groups, and among people alike it is reached."""
    values, signatures, known = alike(*counts)
    found = bucketize([signatures], values, [known], 5.0)
    assert isinstance(found, Shortfall)
    assert found.reachable == best


@pytest.mark.parametrize("r", [2.7, 4.0, 30.0])
@pytest.mark.parametrize("truth", [1.0, 1.3, 2.0, 2.6, 3.0, 9.4, 20.0])
def test_five_builds_at_most_and_never_one_that_was_not_built(
    r: float, truth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []

    def pretended(columns: object, values: Int32s, knowledge: object, wanted: float, **how: object) -> Bucketized:
        built.append(wanted)
        lost = 0 if wanted <= truth else 1
        return Bucketized(np.full(len(values), -1 if lost else 0, np.int32), 1, lost, 0.0)

    monkeypatch.setattr(feasibility, "place", pretended)
    values = np.arange(40, dtype=np.int32)
    signatures = np.zeros(40, np.int32)
    found = bucketize([signatures], values, [KnownPriors(signatures, np.full((1, 40), 0.025))], r)
    if truth >= r:
        assert isinstance(found, Bucketized)
        return
    assert isinstance(found, Shortfall)
    assert built[0] == r
    assert len(built) <= 6
    assert all(1 < wanted < r for wanted in built[1:])
    assert found.reachable == max((wanted for wanted in built if wanted <= truth), default=1.0)
    assert float(f"{found.reachable:.10g}") == found.reachable
    assert found.reachable >= min(truth, int(truth) if truth < 4 else truth * 0.8)  # whole numbers are found
