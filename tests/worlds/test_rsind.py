"""Partitions into cliques against every partition there is; sets of values against trying each value; swaps against
doing them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.worlds.crowds import selections
from deniable.worlds.crowds.rsind import partition
from deniable.worlds.crowds.sind import decide
from deniable.worlds.crowds.swap_kernel import told_apart
from deniable.worlds.crowds.swaps import Instance, totals_of
from deniable.worlds.judges.crowds import best_partition


@st.composite
def graphs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    nodes = draw(st.integers(1, 5))
    linked = np.eye(nodes, dtype=bool)
    for i, j in combinations(range(nodes), 2):
        linked[i, j] = linked[j, i] = draw(st.booleans())
    people = np.array(draw(st.lists(st.integers(1, 3), min_size=nodes, max_size=nodes)))
    while people.sum() > 8:
        people[np.argmax(people)] -= 1
    return linked, people


@given(graphs())
def test_the_best_partition_is_found_and_proved(graph: tuple[np.ndarray, np.ndarray]) -> None:
    linked, people = graph
    found = partition(linked, people, 60)
    kind = np.repeat(np.arange(len(people)), people)
    best = best_partition(len(kind), lambda block: all(linked[kind[i], kind[j]] for i, j in combinations(block, 2)))
    assert found.k == found.at_most == best
    assert np.array_equal(np.bincount(found.type, found.people, len(people)), people)
    for clique in np.unique(found.clique):
        types = found.type[found.clique == clique]
        assert linked[np.ix_(types, types)].all()
        assert found.people[found.clique == clique].sum() >= best


@settings(max_examples=settings().max_examples // 4)
@given(graphs())
def test_without_time_the_bound_is_honest(graph: tuple[np.ndarray, np.ndarray]) -> None:
    linked, people = graph
    quick, full = partition(linked, people, 0), partition(linked, people, 60)
    assert quick.k <= full.k <= quick.at_most


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=8))
def test_sets_are_numbered_by_what_they_hold(rows: list[list[bool]]) -> None:
    held = np.array(rows)
    combination, value = np.nonzero(held)
    sets = selections.by_listing(combination, value, len(rows), 4)
    assert np.array_equal(sets.holds()[sets.of], held)
    numbers = {tuple(row): int(number) for row, number in zip(rows, sets.of, strict=True)}
    assert len(set(numbers.values())) == len(numbers)
    assert numbers.get((False,) * 4, 0) == 0


ROWS = [row for row in product(range(3), repeat=3) if sum(row) in (1, 2)]  # one or two people by three values


@st.composite
def shown(draw: st.DrawFn) -> Instance:
    """Three classes, and what one view shows of each with each value."""
    numbers = np.array(draw(st.lists(st.integers(0, 3), min_size=9, max_size=9))).reshape(1, 3, 3)
    world = np.array([draw(st.sampled_from(ROWS)) for _ in range(3)])
    distinct, ones = np.array([draw(st.booleans())]), np.ones(3, np.int64)
    return Instance(world, numbers, totals_of(numbers, world), np.array([True]), distinct, np.arange(3), ones)


def seen(view: Instance, world: np.ndarray) -> list[int]:
    counts = totals_of(view.answers, world)[0, 1:]
    return [min(int(count), 1) if view.distinct[0] else int(count) for count in counts]


def tells(view: Instance, world: np.ndarray) -> bool:
    """Whether the first two classes can swap two of their values such that the view changes."""
    for one, two in product(range(3), repeat=2):
        after = world.copy()
        after[[0, 0, 1, 1], [one, two, two, one]] += [-1, 1, -1, 1] if one != two else 0
        if world[0, one] and world[1, two] and seen(view, after) != seen(view, world):
            return True
    return False


@given(shown())
def test_a_swap_is_told_when_the_view_changes(view: Instance) -> None:
    assert told_apart(view.answers, view.totals, view.distinct, view.world, 0, 1) == tells(view, view.world)


@settings(max_examples=settings().max_examples // 2)
@given(shown())
def test_classes_are_one_crowd_when_no_world_tells_them_apart(view: Instance) -> None:
    sizes = view.world.sum(axis=1).tolist()
    rows = [[row for row in ROWS if sum(row) == size] for size in sizes]
    worlds = [np.array(world) for world in product(*rows)]
    told = any(tells(view, world) for world in worlds if seen(view, world) == seen(view, view.world))
    crowd = decide(view, 60).crowd
    assert (crowd[0] == crowd[1]) == (not told)
