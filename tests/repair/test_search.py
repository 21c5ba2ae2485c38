"""The search beside one that tries every point."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from deniable.analyses.repair.search import Point, Tried, is_coarser, search


@st.composite
def spaces(draw: st.DrawFn) -> tuple[list[int], dict[Point, float], dict[Point, Tried]]:
    """Dials, what each setting keeps, and which points pass: hopeless ones are closed under finer ones, the others
    pass or fail as they like."""
    tops = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    points = list(product(*(range(top + 1) for top in tops)))
    losses = [[0, *sorted(draw(st.lists(st.integers(1, 9), min_size=top, max_size=top)))] for top in tops]
    kept = {x: 1 - sum(losses[i][k] for i, k in enumerate(x)) / (10 * len(tops)) for x in points}
    bad = draw(st.lists(st.sampled_from(points), max_size=3))
    hopeless = {x for x in points if any(is_coarser(y, x) for y in bad)}
    luck = draw(st.lists(st.booleans(), min_size=len(points), max_size=len(points)))
    tried = {
        x: Tried(passes=x not in hopeless and lucky, hopeless=x in hopeless)
        for x, lucky in zip(points, luck, strict=True)
    }
    return tops, kept, tried


def glance_of(tried: dict[Point, Tried]) -> Callable[[Point], Tried]:
    """What is seen at little cost: hopeless points, and some that fail."""

    def glance(point: Point) -> Tried:
        found = tried[point]
        return found if found.hopeless or sum(point) % 2 else Tried(passes=True, cost=0.1)

    return glance


@given(spaces())
def test_nothing_that_keeps_more_is_missed(space: tuple[list[int], dict[Point, float], dict[Point, Tried]]) -> None:
    tops, kept, tried = space
    found = search(tops, kept.__getitem__, glance_of(tried), tried.__getitem__, 10_000)
    passing = [x for x in tried if tried[x].passes]
    wanted = [x for x in passing if not any(x != y and is_coarser(x, y) for y in passing)]
    assert found.complete
    assert sorted(found.passing) == sorted(wanted)
    assert [kept[x] for x in found.passing] == sorted((kept[x] for x in wanted), reverse=True)


@given(spaces(), st.integers(1, 12))
def test_with_few_trials_what_is_found_passes_and_no_more_is_tried(
    space: tuple[list[int], dict[Point, float], dict[Point, Tried]], most: int
) -> None:
    tops, kept, tried = space
    asked: list[Point] = []

    def attempt(point: Point) -> Tried:
        asked.append(point)
        return tried[point]

    found = search(tops, kept.__getitem__, attempt, attempt, most)
    assert len(asked) <= most
    assert max(asked.count(x) for x in asked) <= 2
    assert len(set(asked)) == found.tried
    assert all(tried[x].passes for x in found.passing)
    if found.complete:
        best = max((kept[x] for x in tried if tried[x].passes), default=None)
        assert best == (kept[found.passing[0]] if found.passing else None)
