"""What the choice of newcomers tells somebody who knows the algorithm and everybody's quasi-identifiers."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.refill import Guess, beyond, chosen, founded, guess, skewed
from benchmarks.turnover import People, Setting, tables
from numpy.typing import NDArray

from deniable.kernels import LARGE, work
from deniable.publish.again.stable import circles

Ints = NDArray[np.int64]

pytestmark = pytest.mark.usefixtures("compiling")  # what tells must be told apart from chance, among many people


def anybody(seed: int) -> People:
    """Quasi-identifiers and values that have nothing to do with each other, so that only the choice can tell."""
    rng = np.random.default_rng(seed)
    values = rng.choice(20, 40_000, p=np.arange(20, 40) / np.arange(20, 40).sum()).astype(np.int32)
    return People(tuple(rng.integers(0, codes, 40_000).astype(np.int32) for codes in (80, 50, 5, 9)), values)


def test_the_choice_does_not_speak_and_nearest_first_does() -> None:
    people = anybody(1)
    seen = {
        way: chosen(tables(people, Setting(20_000, 0.33, 9), 1), way, 1) for way in ("ours", "nearest first")
    }  # fmt: skip
    ours, control = guess(seen["ours"]), guess(seen["nearest first"])
    assert min(ours.batches, control.batches) > 4_000
    assert abs(ours.gain) < ours.within
    assert control.gain - control.within > 1
    more = beyond(seen["ours"], people)
    assert abs(more.gain) < more.within


def test_whoever_knows_the_statistics_tells_most_newcomers_apart() -> None:
    people = anybody(2)
    people = People((people.values // 2, *people.columns[1:]), people.values)  # one column says much of the value
    seen = chosen(tables(people, Setting(20_000, 0.33, 6), 2), "ours", 2)
    found = beyond(seen, people)
    assert found.statistics > 90
    assert abs(found.gain) < max(found.within, 0.5)


def begun() -> Guess:
    some = skewed()
    with work(LARGE):  # each of them is small, and all together are not
        return guess([founded(next(tables(some, Setting(2_000, 0.0, 1), seed)), seed) for seed in range(60)])


def test_who_is_where_in_new_groups_does_not_speak() -> None:
    ours = begun()
    assert ours.batches > 9_000
    assert abs(ours.gain) < ours.within


def one_circle(values: Ints, is_even: bool, rng: np.random.Generator) -> tuple[Ints, int]:
    """All of a value together, however many there are."""
    part = np.unique(values, return_inverse=True)[1]
    return part, int(part.max(initial=-1)) + 1


def test_newcomers_of_rare_values_are_compared_with_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all of a value are compared, those of a frequent one come to be nearer."""
    some = skewed()
    ours = guess(chosen(tables(some, Setting(20_000, 0.33, 8), 1), "ours", 1))
    assert abs(ours.gain) < ours.within
    monkeypatch.setattr(circles, "_cut", one_circle)
    monkeypatch.setattr(circles, "_LEAST", (4,))
    control = guess(chosen(tables(some, Setting(20_000, 0.33, 8), 1), "ours", 1))
    assert control.gain > control.within
    assert control.rule in {"farthest has the rarest", "nearest has the commonest", "farthest has the greatest"}
