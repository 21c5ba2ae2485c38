"""Whoever can exchange values with others has two: against all worlds of small histories."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deniable.worlds.history.exchanges import can_exchange
from deniable.worlds.history.histories import from_lists
from tests.worlds.small import knowing


@st.composite
def told_histories(draw: st.DrawFn) -> tuple[int, list[int], list[list[tuple[list[int], list[int]]]], list[int]]:
    """People's values, releases of all or some of them with counterfeits here and there, and who is known."""
    people, values = draw(st.integers(1, 6)), draw(st.integers(2, 3))
    truth = draw(st.lists(st.integers(0, values - 1), min_size=people, max_size=people))
    releases = []
    for _ in range(draw(st.integers(1, 3))):
        group_of = draw(st.lists(st.integers(-1, 2), min_size=people, max_size=people))
        groups = []
        for g in {g for g in group_of if g >= 0}:
            members = [p for p in range(people) if group_of[p] == g]
            fakes = draw(st.lists(st.integers(0, values - 1), max_size=2))
            groups.append((members, [truth[p] for p in members] + fakes))
        releases.append(groups)
    return values, truth, releases, draw(st.lists(st.integers(0, people - 1), unique=True, max_size=3))


@given(told_histories())
def test_whoever_can_exchange_has_two_values(
    case: tuple[int, list[int], list[list[tuple[list[int], list[int]]]], list[int]],
) -> None:
    values, truth, releases, known = case
    worlds = [
        world
        for world in product(range(values), repeat=len(truth))
        if all(world[p] == truth[p] for p in known)
        and all(Counter(world[p] for p in who) <= Counter(has) for groups in releases for who, has in groups)
    ]
    history = from_lists(len(truth), values, releases)
    found = can_exchange(history, knowing({p: truth[p] for p in known}), np.array(truth, np.int32))
    for person in np.flatnonzero(found):
        assert len({world[person] for world in worlds}) > 1


def test_nobody_exchanges_with_more_people_than_there_are_copies() -> None:
    """One who holds the first value among two who are known to hold the other: there are two copies of that, one of
    the first."""
    history = from_lists(3, 2, [[([0, 1, 2], [0, 1, 1])]])
    assert can_exchange(history, knowing({1: 1, 2: 1}), np.array([0, 1, 1], np.int32)).tolist() == [False] * 3


def test_exchanges_are_found() -> None:
    truth = np.array([0, 1, 0, 1], np.int32)
    history = from_lists(4, 2, [[([0, 1], [0, 1]), ([2, 3], [0, 1])], [([0, 3], [0, 1])]])
    assert can_exchange(history, knowing({}), truth).tolist() == [True] * 4
    assert can_exchange(history, knowing({1: 1}), truth).tolist() == [False] * 4
    apart = from_lists(4, 2, [[([0, 1], [0, 1]), ([2, 3], [0, 1])]])
    assert can_exchange(apart, knowing({1: 1}), truth).tolist() == [False, False, True, True]
