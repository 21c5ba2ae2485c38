"""Values seen and values excluded by cycles, against all worlds of small histories of groups that stay."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deniable.worlds.history.histories import counts, from_lists
from deniable.worlds.history.lineage_cycles import Between, possible_values
from deniable.worlds.history.lineage_forest import connected, forest
from deniable.worlds.history.propagation import propagate
from tests.worlds.small import knowing, values_of
from tests.worlds.test_histories_exchange import told_histories

Group = tuple[list[int], list[int]]
Told = tuple[int, list[int], list[list[Group]]]  # how many values, everybody's, and the groups of each release
MOST = 8


@st.composite
def lineages(draw: st.DrawFn) -> Told:
    """Groups with one or two copies of each value, whose people are replaced, given up, merged, and return too late."""
    values = draw(st.integers(2, 3))
    truth: list[int] = []
    gone: list[int] = []

    def new(value: int) -> int:
        truth.append(value)
        return len(truth) - 1

    groups = [[new(v) for v in range(values)] for _ in range(draw(st.integers(1, MOST // values)))]
    if len(groups) > 1 and draw(st.booleans()):
        groups[0] += groups.pop()
    releases = [groups]
    for _ in range(draw(st.integers(1, 4))):
        groups = [list(who) for who in groups]
        if len(groups) > 1 and draw(st.booleans()):
            groups[0] += groups.pop()
        if len(groups[0]) > values and draw(st.booleans()):
            for v in range(values):
                gone.append(next(p for p in groups[0] if truth[p] == v))
                groups[0].remove(gone[-1])
        for who in groups:
            for p in draw(st.lists(st.sampled_from(who), unique=True, max_size=3)):
                if len(truth) < MOST:
                    who[who.index(p)] = new(truth[p])
                    gone.append(p)
        back = {truth[p]: p for p in gone}
        if len(back) == values and draw(st.booleans()):
            groups.append([p for _, p in sorted(back.items())])
            gone = [p for p in gone if p not in groups[-1]]
        releases.append(groups)
    return values, truth, [[(who, [truth[p] for p in who]) for who in groups] for groups in releases]


def possible(told: Told, known: list[int]) -> list[set[int]]:
    """The values that each person has in some world."""
    values, truth, releases = told
    groups = [(who, Counter(has)) for groups in releases for who, has in groups]
    seen: list[set[int]] = [set() for _ in truth]
    for world in product(*([v] if p in known else range(values) for p, v in enumerate(truth))):
        if all(Counter(world[p] for p in who) <= has for who, has in groups):
            for p, v in enumerate(world):
                seen[p].add(v)
    return seen


def check(told: Told, known: list[int], rounds: int) -> tuple[int, int]:
    """What is seen is possible, and what is possible is left; how many people are settled, and how many there are."""
    values, truth, releases = told
    history = from_lists(len(truth), values, releases)
    found = possible_values(history, np.array(truth, np.int32), knowing({p: truth[p] for p in known}), rounds)
    for p, mine in enumerate(possible(told, known)):
        assert truth[p] in values_of(found.seen, p)
        assert set(values_of(found.seen, p)) <= mine <= set(values_of(found.left, p))
    return int(np.count_nonzero(found.least == found.most)), len(truth)


@given(lineages(), st.data(), st.sampled_from([0, 20]))
def test_bounds_hold_for_groups_that_stay(told: Told, data: st.DataObject, rounds: int) -> None:
    check(told, data.draw(st.lists(st.sampled_from(range(len(told[1]))), unique=True, max_size=3)), rounds)


@given(told_histories())
def test_bounds_hold_for_any_history(case: tuple[int, list[int], list[list[Group]], list[int]]) -> None:
    check((case[0], case[1], case[2]), case[3], 20)


def told(truth: list[int], *groups: list[int]) -> Told:
    return max(truth) + 1, truth, [[(who, [truth[p] for p in who])] for who in groups]


def found_in(case: Told, known: list[int], rounds: int = 0) -> Between:
    values, truth, releases = case
    history = from_lists(len(truth), values, releases)
    return possible_values(history, np.array(truth, np.int32), knowing({p: truth[p] for p in known}), rounds)


def test_a_cycle_of_three() -> None:
    """With 1 known, 0 can only become b if 3, who stays, becomes a, and 4 becomes b, too: no two people exchange."""
    case = told([0, 1, 0, 1, 0, 1], [0, 1, 2, 3], [2, 3, 4, 5])
    assert found_in(case, [1, 2, 5]).least.tolist() == [2, 1, 1, 2, 2, 1]
    assert check(case, [1, 2, 5], 0) == (6, 6)


def test_three_values_take_two_exchanges() -> None:
    """3 has another value only in worlds that differ from the true one in three values."""
    case = told([0, 1, 2, 0, 1, 2, 1], [0, 1, 2], [2, 3, 4], [3, 5, 6])
    assert possible(case, [0, 6])[3] == {0, 2}
    assert found_in(case, [0, 6]).least[3] == 2


def test_four_states_exclude_what_no_two_of_them_do() -> None:
    case = told([0, 0, 1, 1, 1, 0, 1, 0, 0, 1], [0, 1, 2, 3], [1, 3, 4, 5], [4, 5, 6, 7], [6, 7, 8, 9])
    words, _ = propagate(from_lists(10, 2, case[2]), knowing({p: case[1][p] for p in (0, 1, 8)}))
    assert counts(words)[9] == 2
    assert found_in(case, [0, 1, 8]).most[9] == len(possible(case, [0, 1, 8])[9]) == 1


@given(lineages(), st.data())
def test_two_values_are_always_settled(case: Told, data: st.DataObject) -> None:
    """With two values whoever does not have the one has the other: both kinds of cycles are the same."""
    values, truth, releases = case
    known = data.draw(st.lists(st.sampled_from(range(len(truth))), unique=True, max_size=3))
    single = forest(from_lists(len(truth), values, releases)).single
    if values == 2 and single.all():
        assert check(case, known, 0) == (len(truth), len(truth))


def test_who_returns_too_late_is_judged_by_both_lineages() -> None:
    """0 can have b only if 1 in the old lineage and 3 in the new one can have a."""
    case = 2, [0, 1, 0, 1, 1], [[([0, 1], [0, 1])], [([1, 2], [0, 1])], [([0, 3], [0, 1]), ([1, 2], [0, 1])]]
    arcs = forest(from_lists(5, 2, case[2]))
    assert arcs.single.tolist() == [False, True, True, True, False]
    assert arcs.apart.tolist() == [True, True, True, True, False]
    assert found_in(case, []).least.tolist() == [2, 1, 1, 1, 2]
    assert found_in(case, [3]).least.tolist() == found_in(case, [2]).least.tolist() == [1, 1, 1, 1, 2]
    assert found_in(case, [3]).most.tolist() == [1, 2, 2, 1, 2]  # what 0 leaves them is not told from here
    assert check(case, [], 0)[1] == 5


def test_who_is_connected() -> None:
    history = from_lists(7, 2, [[([0, 1], [0, 1]), ([2, 3], [0, 1])], [([1, 4], [0, 1]), ([5, 6], [0, 1])]])
    assert np.flatnonzero(connected(history, np.array([4]))).tolist() == [0, 1, 4]
    assert np.flatnonzero(connected(history, np.array([2, 6]))).tolist() == [2, 3, 5, 6]
