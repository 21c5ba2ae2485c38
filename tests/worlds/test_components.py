"""Runs and connected parts, against the plainest ways to say what they are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from deniable.worlds.arrays import Int64s, expand, offsets
from deniable.worlds.components import breadth_first, components


def plain_parts(places: int, ties: list[list[int]]) -> list[int]:
    label = list(range(places))
    for _ in range(places):
        for tie in ties:
            least = min((label[p] for p in tie), default=0)
            for p in tie:
                label[p] = least
    return label


def some_ties(rng: np.random.Generator, places: int) -> list[list[int]]:
    return [rng.integers(0, places, rng.integers(0, 4)).tolist() for _ in range(rng.integers(0, places))]


def flat(lists: list[list[int]]) -> tuple[Int64s, Int64s]:
    return offsets([len(one) for one in lists]), np.array([p for one in lists for p in one], np.int64)


@pytest.mark.parametrize("seed", range(60))
def test_a_part_is_named_after_its_least_place(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = int(rng.integers(1, 12))
    ties = some_ties(rng, places)
    assert components(*flat(ties), places).tolist() == plain_parts(places, ties)


@pytest.mark.parametrize("seed", range(60))
def test_breadth_first_goes_part_by_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = int(rng.integers(1, 12))
    ties = some_ties(rng, places)
    of_place = [[t for t, tie in enumerate(ties) if p in tie] for p in range(places)]
    order, starts = breadth_first(*flat(of_place), *flat(ties))
    label = plain_parts(places, ties)
    found = [order[a:b].tolist() for a, b in pairwise(starts)]
    assert [part[0] for part in found] == sorted(set(label))
    assert [sorted(part) for part in found] == [[p for p in range(places) if label[p] == x] for x in sorted(set(label))]


def test_offsets_and_runs() -> None:
    assert offsets([2, 0, 3]).tolist() == [0, 2, 2, 5]
    assert offsets([]).tolist() == [0]
    assert offsets(np.array([True, False])).dtype == np.int64
    assert expand(np.array([5, 9, 0]), np.array([2, 0, 3])).tolist() == [5, 6, 0, 1, 2]
    assert expand(0, np.array([2, 3])).tolist() == [0, 1, 0, 1, 2]
    assert expand(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
