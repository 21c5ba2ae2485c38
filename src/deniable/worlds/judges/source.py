"""The judge who has the source: what a history of releases tells somebody who can run the program that made it.

A *world* gives everybody a value. What is *observed* of a release is who shares a group, all values of the group's
rows, and how many of these are counterfeits: no labels, no order. The judge runs every world that the published groups
allow through the program, from the first release on and many times with fresh chance, since what the program keeps
between releases is hidden. A world weighs as much as it is likely beforehand times how often it gives what was
observed; a refusal gives nothing. Each release is run on from runs that gave all that was observed before it, so that
what is rare is seen often enough. That no choice tells is not assumed anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, prod
from typing import Any

import numpy as np

World = tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Who is in a published group, its values in order, and how many of its rows are counterfeits."""

    members: frozenset[int]
    values: tuple[int, ...]
    counterfeits: int


Observed = frozenset[Group]

# A release of a world, after what was kept of the releases before it (None: there were none): what is observed of it
# and what is kept. None: the program refused. Releases are numbered from 0 on.
Publish = Callable[[int, World, Any, np.random.Generator], "tuple[Observed, Any] | None"]


def allowed(people: int, kinds: int, history: Sequence[Observed], given: Mapping[int, int]) -> list[World]:
    """The worlds in which the members of each group have values that it has, and who is `given` has theirs."""
    choices = [set(range(kinds)) for _ in range(people)]
    for group in (group for release in history for group in release):
        for who in group.members:
            choices[who] &= set(group.values)
    for who, value in given.items():
        choices[who] &= {value}
    return [world for world in product(*(sorted(one) for one in choices)) if _fits(world, history)]


def _fits(world: World, history: Sequence[Observed]) -> bool:
    return all(
        not Counter(world[who] for who in group.members) - Counter(group.values)
        for release in history
        for group in release
    )


@dataclass(frozen=True)
class Chance:
    """How likely a world is to give what was observed: as it was seen, and what it lies between."""

    value: float
    low: float
    high: float


def chance(
    world: World, publish: Publish, history: Sequence[Observed], runs: int, doubt: float, rng: np.random.Generator
) -> Chance:
    """Run the world so often for each release. The chance is between low and high but for a chance of `doubt`."""
    kept: list[Any] = [None] * runs
    parts: list[Chance] = []
    for number, wanted in enumerate(history):
        made = [publish(number, world, state, rng) for state in kept]
        states = [one[1] for one in made if one is not None and one[0] == wanted]
        parts.append(share(len(states), runs, doubt / len(history)))
        if not states:
            break
        kept = [states[place] for place in rng.integers(len(states), size=runs)]
    seen = (prod(getattr(part, name) for part in parts) for name in ("value", "low", "high"))
    return Chance(*seen)


def share(hits: int, runs: int, doubt: float) -> Chance:
    """A chance that was met `hits` times in so many runs: between both ends but for a chance of `doubt` (Chernoff)."""
    seen, most = hits / runs, log(2 / doubt) / runs

    def end(outer: float) -> float:
        inner = seen
        for _ in range(60):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if _divergence(seen, middle) <= most else (inner, middle)
        return outer

    return Chance(seen, end(0.0), end(1.0))


def _divergence(p: float, q: float) -> float:
    """Kullback and Leibler's, of two chances."""
    one = p * log(p / q) if p else 0.0
    two = (1 - p) * log((1 - p) / (1 - q)) if p < 1 and q < 1 else (0.0 if p == 1 else float("inf"))
    return one + two


@dataclass(frozen=True)
class Judged:
    """The worlds, how likely each is to give what was observed, and how likely each is beforehand."""

    worlds: Sequence[World]
    chances: Sequence[Chance]
    prior: Sequence[float]

    def posterior(self, who: int, known: Mapping[int, int] | None = None) -> dict[int, Chance]:
        """How likely each value of a person is for somebody who knows these people's values."""
        fits = [i for i, world in enumerate(self.worlds) if all(world[k] == v for k, v in (known or {}).items())]
        of: dict[int, list[int]] = {}
        for i in fits:
            of.setdefault(self.worlds[i][who], []).append(i)
        sums = {v: [self._sum(places, name) for name in ("value", "low", "high")] for v, places in of.items()}
        value, low, high = (sum(one[k] for one in sums.values()) for k in range(3))
        found = {}
        for v, (own, least, most) in sums.items():
            found[v] = Chance(
                own / value if value else 0.0,
                least / (least + high - most) if least else 0.0,
                most / (most + low - least) if most else 0.0,
            )
        return found

    def possible(self, who: int, known: Mapping[int, int] | None = None) -> set[int]:
        """The values that some run had which gave what was observed."""
        return {value for value, one in self.posterior(who, known).items() if one.value > 0}

    def _sum(self, places: Collection[int], name: str) -> float:
        return float(sum(self.prior[i] * getattr(self.chances[i], name) for i in places))


def judge(
    people: int,
    kinds: int,
    publish: Publish,
    history: Sequence[Observed],
    runs: int,
    rng: np.random.Generator,
    given: Mapping[int, int] | None = None,
    doubt: float = 0.01,
) -> Judged:
    """Every world once beforehand; all chances are between their ends at once, but for a chance of `doubt`."""
    worlds = allowed(people, kinds, history, given or {})
    each = doubt / max(len(worlds), 1)
    chances = [chance(world, publish, history, runs, each, rng) for world in worlds]
    return Judged(worlds, chances, [1.0] * len(worlds))


def by_frequency(judged: Judged, frequency: Sequence[float]) -> Judged:
    """The same where everybody has each value with the chance of its frequency, whatever the others have."""
    return Judged(judged.worlds, judged.chances, [prod(frequency[v] for v in world) for world in judged.worlds])


def observations(
    world: World, publish: Publish, releases: int, rng: np.random.Generator
) -> Iterator[tuple[Observed, Any]]:
    """One history of the world: what is observed of each release, and what is kept. Ends where the program refuses."""
    kept: Any = None
    for number in range(releases):
        made = publish(number, world, kept, rng)
        if made is None:
            return
        kept = made[1]
        yield made
