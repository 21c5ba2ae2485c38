"""Partitions into cliques against every partition there is; sets of values against trying each value."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.worlds.crowds import selections
from deniable.worlds.crowds.rsind import partition
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
