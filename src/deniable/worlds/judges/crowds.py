"""The judge: crowds by listing every table, all ways to give people private values that answer the views alike.

Shares no code with the fast paths. Small tables only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

Row = dict[str, Any]
World = tuple[Any, ...]  # each person's private value
PRIVATE = "p"


@dataclass(frozen=True)
class JudgedView:
    """A view as a Python function of rows; its condition may say None, for SQL's unknown."""

    columns: tuple[str, ...]
    distinct: bool
    selects: Callable[[Row], Any]

    def shown(self, row: Row) -> tuple[Any, ...] | None:
        """What it shows of a row, None if it does not select it."""
        return tuple(row[c] for c in self.columns) if self.selects(row) is True else None


class Judge:
    """Everything about one small table and its views, from first principles."""

    def __init__(self, rows: Sequence[Row], domain: Sequence[Any], views: Sequence[JudgedView]) -> None:
        self.rows, self.views = rows, views
        self.now: World = tuple(row[PRIVATE] for row in rows)
        published = self._answers(self.now)
        self.worlds = [world for world in product(domain, repeat=len(rows)) if self._answers(world) == published]
        self._set = set(self.worlds)

    def _answers(self, world: World) -> list[Any]:
        answers: list[Any] = []
        for view in self.views:
            shown = [view.shown({**row, PRIVATE: value}) for row, value in zip(self.rows, world, strict=True)]
            kept = [answer for answer in shown if answer is not None]
            answers.append(set(kept) if view.distinct else Counter(kept))
        return answers

    def _swaps(self, i: int, j: int, allowed: set[Any] | None = None) -> bool:
        """In every world (with both values allowed) swapping the two gives a world."""
        for world in self.worlds:
            if allowed is not None and not {world[i], world[j]} <= allowed:
                continue
            swapped = list(world)
            swapped[i], swapped[j] = world[j], world[i]
            if tuple(swapped) not in self._set:
                return False
        return True

    def crowds(self) -> set[frozenset[int]]:
        """The SIND classes."""
        people = range(len(self.rows))
        return {frozenset(j for j in people if i == j or self._swaps(i, j)) for i in people}

    def possible(self, i: int) -> int:
        """How many values a person can have."""
        return len({world[i] for world in self.worlds})

    def _csind(self, i: int, j: int) -> bool:
        for view in self.views:

            def shown(person: int, owner: int, view: JudgedView = view) -> tuple[Any, ...] | None:
                return view.shown({**self.rows[person], PRIVATE: self.now[owner]})

            if PRIVATE in view.columns:
                good = shown(i, i) == shown(j, i) and shown(i, j) == shown(j, j)
            else:
                good = shown(i, i) == shown(i, j) and shown(j, i) == shown(j, j)
            if not good:
                return False
        return True

    def best_cliques(self) -> int:
        """The largest k with a partition into CSIND cliques of k people and more."""
        return self._best(lambda block: all(self._csind(i, j) for i, j in combinations(block, 2)))

    def best_restricted(self) -> int:
        """The same by RSIND's definition: each block swaps all of its current values in every world."""
        return self._best(self.is_restricted)

    def is_restricted(self, block: list[int]) -> bool:
        """Whether these people can swap all of their current values in every world."""
        values = {self.now[i] for i in block}
        return all(self._swaps(i, j, values) for i, j in combinations(block, 2))

    def _best(self, is_block: Callable[[list[int]], bool]) -> int:
        return best_partition(len(self.rows), is_block)


def best_partition(people: int, is_block: Callable[[list[int]], bool]) -> int:
    """The largest k with a partition into such blocks of k people and more."""
    every = _partitions(list(range(people)))
    return max((min(map(len, blocks)) for blocks in every if all(map(is_block, blocks))), default=0)


def _partitions(people: list[int]) -> Iterator[list[list[int]]]:
    """Every way to split people into blocks."""
    if not people:
        yield []
        return
    first, rest = people[0], people[1:]
    for blocks in _partitions(rest):
        yield [[first], *blocks]
        for i in range(len(blocks)):
            yield [*blocks[:i], [first, *blocks[i]], *blocks[i + 1 :]]
