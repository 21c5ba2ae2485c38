"""The adversaries of a history against brute force: every assignment of values to people, one by one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deniable.worlds.history.beliefs import EXACT, PROVED, Beliefs, true_values
from deniable.worlds.history.choices import choices
from deniable.worlds.history.counting_plan import room, spread
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, Words, from_lists
from deniable.worlds.history.joint import joint
from deniable.worlds.history.pairwise import pairs
from deniable.worlds.history.propagation import propagate
from deniable.worlds.history.regin_filter import narrow
from deniable.worlds.history.search import EXCLUDED, SEEN, begin, decide, list_worlds
from deniable.worlds.history.solver import solve_parts
from deniable.worlds.history.world_counts import nothing_counted, state_room, tally
from tests.worlds.small import knowing, values_of

Group = tuple[list[int], list[int]]
World = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    values: int
    truth: World
    releases: tuple[tuple[Group, ...], ...]
    known: tuple[int, ...]

    @property
    def history(self) -> History:
        return from_lists(len(self.truth), self.values, self.releases)

    @property
    def knowledge(self) -> KnownValues:
        return knowing({p: self.truth[p] for p in self.known})

    def worlds(self) -> list[World]:
        groups = [group for release in self.releases for group in release]
        return [w for w in itertools.product(*self._domains()) if all(fits(w, *group) for group in groups)]

    def _domains(self) -> list[list[int]]:
        return [[v] if p in self.known else list(range(self.values)) for p, v in enumerate(self.truth)]


def fits(world: World, members: list[int], values: list[int]) -> bool:
    held = [world[p] for p in members]
    return all(held.count(v) <= values.count(v) for v in set(held))


@st.composite
def cases(draw: st.DrawFn, people: int = 6, values: int = 3, releases: int = 3) -> Case:
    number, codes = draw(st.integers(1, people)), draw(st.integers(1, values))
    value = st.integers(0, codes - 1)
    truth = tuple(draw(st.lists(value, min_size=number, max_size=number)))
    published = []
    for _ in range(draw(st.integers(0, releases))):
        group_of = draw(st.lists(st.integers(-1, 2), min_size=number, max_size=number))
        groups: list[Group] = []
        for g in range(3):
            members = [p for p in range(number) if group_of[p] == g]
            fakes = draw(st.lists(value, max_size=2)) if draw(st.booleans()) else []
            if members or fakes:
                groups.append(
                    (draw(st.permutations(members)), draw(st.permutations([truth[p] for p in members] + fakes)))
                )
        published.append(tuple(groups))
    known = draw(st.lists(st.integers(0, number - 1), max_size=2, unique=True))
    return Case(codes, truth, tuple(published), tuple(known))


def possible(case: Case) -> list[set[int]]:
    return [set(column) for column in zip(*case.worlds(), strict=True)]


def left(words: Words) -> list[set[int]]:
    return [set(values_of(words, p)) for p in range(len(words))]


def contains(wider: list[set[int]], narrower: list[set[int]]) -> bool:
    return all(one >= two for one, two in zip(wider, narrower, strict=True))


# Alice, Betty, Carl, Doris, Erica, Fiona, Grace, Hanna; cancer, bronchitis, AIDS.
EXAMPLE = Case(
    3,
    (0, 1, 2, 0, 2, 1, 1, 0),
    (
        (([0, 1, 2], [0, 1, 2]), ([3, 4, 5], [0, 2, 1])),
        (([2, 3, 5], [2, 0, 1]), ([4, 6, 7], [2, 1, 0])),
    ),
    (2,),
)
CARL, ERICA = 2, 4
# Two of four people, and one copy of each value for them: what the four have does not say that.
FEWER_COPIES = Case(2, (0, 1, 0, 1), ((([0, 1, 2, 3], [0, 1, 0, 1]),), (([0, 1], [0, 1]),)), (0,))


@given(cases())
@example(EXAMPLE)
@example(FEWER_COPIES)
def test_every_adversary_against_all_worlds(case: Case) -> None:
    expected = possible(case)
    found = joint(case.history, case.knowledge)
    assert found.exact.all()
    assert left(found.words) == expected
    assert found.number.tolist() == [len(s) for s in expected]
    propagated = left(propagate(case.history, case.knowledge)[0])
    assert contains(propagated, expected)
    assert contains(left(pairs(case.history, case.knowledge)), propagated)


@given(cases(people=5, values=4, releases=4))
def test_a_true_world_to_begin_with_changes_nothing(case: Case) -> None:
    helped = joint(case.history, case.knowledge, np.array(case.truth, np.int32))
    assert left(helped.words) == left(joint(case.history, case.knowledge).words) == possible(case)


@given(cases())
def test_without_time_bounds_hold(case: Case) -> None:
    found = joint(case.history, case.knowledge, seconds=0.0)
    expected = possible(case)
    assert contains(left(found.words), expected)
    assert all(values_of(found.words, p) == sorted(expected[p]) for p in np.flatnonzero(found.exact).tolist())


def shares_of(case: Case) -> list[Fraction]:
    worlds = case.worlds()
    return [Fraction(sum(w[p] == v for w in worlds), len(worlds)) for p, v in enumerate(case.truth)]


def believed(case: Case, seconds: float, helped: bool = False) -> Beliefs:
    truth = np.array(case.truth, np.int32)
    found = joint(case.history, case.knowledge, truth if helped else None, seconds)
    return true_values(case.history, found, truth, seconds)


def holds_all(beliefs: Beliefs, shares: list[Fraction]) -> bool:
    return all(low <= x <= high for low, x, high in zip(beliefs.low, shares, beliefs.high, strict=True))


@given(cases(), st.booleans())
@example(EXAMPLE, False)
@example(EXAMPLE, True)
def test_probabilities_are_shares_of_worlds(case: Case, helped: bool) -> None:
    beliefs, expected = believed(case, 10.0, helped), [float(x) for x in shares_of(case)]
    assert (beliefs.how == EXACT).all()
    assert beliefs.value.tolist() == beliefs.low.tolist() == beliefs.high.tolist() == expected


@given(cases())
@example(EXAMPLE)
def test_bounds_hold_where_nothing_is_counted(case: Case) -> None:
    assert holds_all(believed(case, 0.0), shares_of(case))


@given(cases())
@example(EXAMPLE)
def test_listing_worlds_agrees_with_counting_them(case: Case) -> None:
    words, system = propagate(case.history, case.knowledge)
    open_ = choices(system, words)
    parts, listed, tallied = np.arange(len(open_.parts) - 1), nothing_counted(open_), nothing_counted(open_)
    status = np.zeros(len(open_.value), np.int8)
    assert list_worlds(open_, begin(open_), status, parts, 0, 10_000, 10_000, 10_000_000, listed) == len(parts)
    assert tally(open_, room(open_), state_room(4_000), parts, 0, 10_000_000, False, 2, tallied) == len(parts)
    assert listed.totals.tolist() == tallied.totals.tolist()
    assert listed.ways.tolist() == tallied.ways.tolist()


def test_more_worlds_than_doubles_count_exactly() -> None:
    # Person 0 shares a second group with person 20, which has no value 19: 19 * 19! worlds for 0..19, 18 for 20.
    most = 20
    first, second = (list(range(most)), list(range(most))), ([0, most], list(range(most - 1)))
    history = from_lists(most + 1, most, [[first], [second]])
    truth = np.array([*range(most), 1], np.int32)
    beliefs = true_values(history, joint(history, NOTHING, truth), truth)
    shares = [Fraction(1, 19)] + [Fraction(18, 361)] * 18 + [Fraction(1, 19), Fraction(1, 19)]
    assert (beliefs.how == PROVED).all()
    assert holds_all(beliefs, shares)
    assert (beliefs.high - beliefs.low).max() < 1e-9


@pytest.mark.parametrize("case", [EXAMPLE, Case(2, (0, 1, 0, 1), ((([0, 1], [0, 1, 1]), ([2, 3], [0, 1])),), ())])
def test_the_solver_alone_is_exact(case: Case) -> None:
    words, system = propagate(case.history, case.knowledge)
    open_ = choices(system, words)
    status = np.zeros(len(open_.value), np.int8)
    solve_parts(open_, status, deadline=float("inf"))
    expected = possible(case)
    for literal, (q, value) in enumerate(zip(open_.owner.tolist(), open_.value.tolist(), strict=True)):
        assert status[literal] == (SEEN if value in expected[open_.person[q]] else EXCLUDED)


@given(cases())
@example(EXAMPLE)
def test_the_search_alone_is_exact(case: Case) -> None:
    words, system = propagate(case.history, case.knowledge)
    open_ = choices(system, words)
    status = np.zeros(len(open_.value), np.int8)
    assert decide(open_, begin(open_), status, 0, 10_000, 1_000_000) == len(open_.parts) - 1
    expected = possible(case)
    for literal, (q, value) in enumerate(zip(open_.owner.tolist(), open_.value.tolist(), strict=True)):
        assert status[literal] == (SEEN if value in expected[open_.person[q]] else EXCLUDED)


@given(cases())
@example(EXAMPLE)
def test_what_one_world_says_is_possible_for_values_that_are_alike(case: Case) -> None:
    words, system = propagate(case.history, case.knowledge)
    open_ = choices(system, words)
    truth = np.array(case.truth, np.int32)
    status = np.where(open_.value == truth[open_.person][open_.owner], SEEN, 0).astype(np.int8)
    spread(open_, np.arange(len(open_.parts) - 1), room(open_), status)
    expected = possible(case)
    for x in np.flatnonzero(status).tolist():
        assert status[x] == SEEN
        assert open_.value[x] in expected[open_.person[open_.owner[x]]]


def test_the_paper_example_one() -> None:
    history, carl = EXAMPLE.history, EXAMPLE.knowledge
    assert values_of(pairs(history, carl), ERICA) == [2]
    assert values_of(joint(history, carl).words, ERICA) == [2]
    unknown = joint(history)
    assert unknown.number.tolist() == [3] * 8
    assert values_of(pairs(history), ERICA) == [0, 1, 2]
    _, system = propagate(history)
    open_ = choices(system, propagate(history)[0])
    status = np.where(open_.value == np.array(EXAMPLE.truth)[open_.person][open_.owner], SEEN, 0).astype(np.int8)
    spread(open_, np.arange(len(open_.parts) - 1), room(open_), status)
    assert (status == SEEN).all()  # nobody is known: all values are alike


def test_two_groups_at_a_time_miss_what_three_say() -> None:
    # {0,1} and {2,3} cover {0,2} and {1,3}: a cycle; knowing 0 gives everyone, and in a triangle nothing is needed.
    triangle = from_lists(3, 2, [[([0, 1], [0, 1])], [([1, 2], [0, 1])], [([0, 2], [0, 0, 1])]])
    assert left(joint(triangle).words) == [{0}, {1}, {0}]
    assert left(pairs(triangle)) == [{0, 1}] * 3


def test_a_group_with_counterfeits_says_nothing_of_another() -> None:
    """Only 0 may have value 0 in the first group; but it may be the counterfeit's, and 1 or 3 have it in the second."""
    history = from_lists(4, 3, [[([0, 2], [0, 1, 2])], [([0, 1, 3], [0, 1, 2])]])
    assert left(pairs(history, knowing({2: 1}))) == [{0, 2}, {0, 1, 2}, {1}, {0, 1, 2}]


@given(st.lists(st.integers(1, 7), min_size=1, max_size=5), st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=3))
def test_a_filter_keeps_what_some_assignment_has(masks: list[int], ends: list[tuple[int, int]]) -> None:
    low, high = ([pick(end) for end in ends[:3]] for pick in (min, max))
    every = [
        given_
        for given_ in itertools.product(range(3), repeat=len(masks))
        if all(mask >> v & 1 for mask, v in zip(masks, given_, strict=True))
        and all(low[v] <= given_.count(v) <= high[v] for v in range(3))
    ]
    kept, space = np.array(masks, np.uint64), np.zeros((4, 8), np.int64)
    assert narrow(len(masks), 3, kept, np.array(low), np.array(high), *space) == bool(every)
    if every:
        assert kept.tolist() == [sum({1 << v for v in own}) for own in zip(*every, strict=True)]


def test_a_contradiction_is_said() -> None:
    history = from_lists(2, 3, [[([0, 1], [0, 1])]])
    for ask in (joint, pairs, propagate):
        with pytest.raises(NoWorld):
            ask(history, knowing({0: 2}))
        with pytest.raises(NoWorld):
            ask(history, knowing({0: 1, 1: 1}))
    odd = from_lists(3, 2, [[([0, 1], [0, 1])], [([1, 2], [0, 1])], [([0, 2], [0, 1])]])
    with pytest.raises(NoWorld):
        joint(odd)


def test_a_wide_group_is_narrowed_too() -> None:
    people = 70
    history = from_lists(people, people, [[(list(range(people)), list(range(people)))]])
    found = joint(history, knowing({p: p for p in range(3, people)}), np.arange(people, dtype=np.int32))
    assert left(found.words)[:3] == [{0, 1, 2}] * 3
    assert found.exact.all()


def test_nobody_in_a_group_may_have_any_value() -> None:
    found = joint(from_lists(1, 3, []))
    assert left(found.words) == [{0, 1, 2}]
    assert found.exact.all()
    beliefs = true_values(from_lists(1, 3, []), found, np.array([1], np.int32))
    assert (beliefs.value.tolist(), beliefs.how.tolist()) == ([1 / 3], [EXACT])


@pytest.mark.parametrize(
    ("releases", "message"),
    [
        ([[([0, 1], [0])]], "fewer values than members"),
        ([[([0], [0]), ([0], [0])]], "twice in one release"),
        ([[([7], [0])]], "not a person"),
        ([[([0], [9])]], "not among the values"),
    ],
)
def test_what_is_not_a_history_is_refused(releases: list[list[Group]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_lists(2, 2, releases)
