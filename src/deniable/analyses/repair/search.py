"""Which settings of some dials pass, and keep most? Pure: what passes is asked of the caller.

A *point* sets every dial, 0 being "as it is"; y is *coarser* than x when no dial of y is below that of x. What a point
keeps falls with every dial. A point that is *hopeless* fails, and so does every finer one, which the caller has to have
proved; a point that merely fails says nothing of others: adversaries need not be monotone (docs/theory/repair.md).
Found: all points that pass of which no finer one passes, as long as `most` trials last. They are tried best first, and
before that the corners of the space are, where hopeless points tell most.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

from deniable.frozen import frozen

Point = tuple[int, ...]
MOST_QUEUED = 20_000  # points that wait to be tried; a few hundred are


@frozen
class Tried:
    """What became of a point; `cost` is in trials."""

    passes: bool
    hopeless: bool = False  # and so is every finer one
    cost: float = 1.0


@frozen
class Searched:
    """Points that pass, best first. `complete`: no other point passes that keeps more than one of these, or is not
    coarser than one of these."""

    passing: tuple[Point, ...]
    tried: int
    complete: bool


def is_coarser(coarse: Point, fine: Point) -> bool:
    """Coarser, or the same."""
    return all(c >= f for c, f in zip(coarse, fine, strict=True))


Try = Callable[[Point], Tried]


class _Search:
    """What is known so far of a space."""

    def __init__(self, tops: Sequence[int], glance: Try, attempt: Try, most: float) -> None:
        self.tops, self.left = tuple(tops), most
        self.tried: dict[Point, Tried] = {}
        self.passing: list[Point] = []
        self.hopeless: list[Point] = []
        self._glance, self._attempt = glance, attempt
        self._glanced: dict[Point, Tried] = {}

    def glances(self, point: Point) -> Tried | None:
        """Whether a point may pass, as far as can be seen at little cost; None where nothing is left to spend."""
        if point in self.tried:
            return self.tried[point]
        if any(is_coarser(bad, point) for bad in self.hopeless):
            return Tried(passes=False, hopeless=True, cost=0)
        if point not in self._glanced:
            if self.left <= 0:
                return None
            self._glanced[point] = self._counted(point, self._glance(point))
        return self._glanced[point]

    def tries(self, point: Point) -> Tried | None:
        """Whether a point passes."""
        seen = self.glances(point)
        if seen is None or not seen.passes or point in self.tried:
            return seen
        if self.left <= 0:
            return None
        self.tried[point] = self._counted(point, self._attempt(point))
        if self.tried[point].passes:
            self.passing.append(point)
        return self.tried[point]

    def _counted(self, point: Point, found: Tried) -> Tried:
        self.left -= found.cost
        if found.hopeless:
            self.hopeless = [bad for bad in self.hopeless if not is_coarser(point, bad)] + [point]
        return found

    def gives_up_more(self, point: Point) -> bool:
        """Whether a point is coarser than one that passes."""
        return any(point != good and is_coarser(point, good) for good in self.passing)

    @property
    def seen(self) -> int:
        """How many points were looked at."""
        return len(self._glanced.keys() | self.tried.keys())


def search(tops: Sequence[int], kept: Callable[[Point], float], glance: Try, attempt: Try, most: float) -> Searched:
    """Look for the points that pass. `tops` has the last setting of each dial; `glance` says, at little cost, which
    points fail and which may pass; `most` is what may be spent."""
    state = _Search(tops, glance, attempt, most)
    coarsest = tuple(tops)
    end = state.glances(coarsest)
    if end is not None and end.hopeless:
        return Searched((), state.seen, complete=True)
    floors = _corners(state)
    if end is not None and end.passes:
        _descend(state, floors, reserve=most / 2)
    complete = _best_first(state, kept, floors)
    passing = [x for x in state.passing if not state.gives_up_more(x)]
    return Searched(tuple(sorted(passing, key=lambda x: (-kept(x), x))), state.seen, complete)


def _corners(state: _Search) -> Point:
    """The lowest setting of each dial that is not hopeless while all others are at their last."""
    floors = []
    for dial, top in enumerate(state.tops):
        low, high = 0, top  # high is not hopeless: it is the coarsest point
        while low < high:
            middle = (low + high) // 2
            found = state.glances(_with(state.tops, dial, middle))
            if found is not None and found.hopeless:
                low = middle + 1
            else:
                high = middle
        floors.append(low)
    return tuple(floors)


def _descend(state: _Search, floors: Point, reserve: float) -> None:
    """From the coarsest point to finer ones that may pass, each dial in turn the first to be turned back."""
    for first in range(len(state.tops)):
        point = state.tops
        for dial in (first, *(dial for dial in range(len(state.tops)) if dial != first)):
            point = _turned_back(state, point, dial, floors[dial])
        state.tries(point)
        if state.left < reserve:
            return


def _turned_back(state: _Search, point: Point, dial: int, floor: int) -> Point:
    """The finest setting of one dial found that may pass, by halves: where passing is not monotone, one of them."""
    low, high = floor, point[dial]
    while low < high:
        middle = (low + high) // 2
        found = state.glances(_with(point, dial, middle))
        if found is not None and found.passes:
            high = middle
        else:
            low = middle + 1
    return _with(point, dial, high)


def _best_first(state: _Search, kept: Callable[[Point], float], floors: Point) -> bool:
    """Try what keeps most, from the floors on; whether all was tried that could matter."""
    queue: list[tuple[float, Point]] = [(-kept(floors), floors)]
    queued = {floors}
    while queue:
        _, point = heapq.heappop(queue)
        if state.gives_up_more(point):
            continue  # and so does all that is coarser still
        found = state.tries(point)
        if found is None or len(queued) > MOST_QUEUED:
            return False
        if found.passes:
            continue
        for dial, top in enumerate(state.tops):
            if point[dial] < top:
                following = _with(point, dial, point[dial] + 1)
                if following not in queued:
                    queued.add(following)
                    heapq.heappush(queue, (-kept(following), following))
    return True


def _with(point: Point, dial: int, setting: int) -> Point:
    return (*point[:dial], setting, *point[dial + 1 :])
