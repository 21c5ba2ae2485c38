"""Everything that is tied to one kind of person, as a formula that can be counted, if it is not too large.

Bundles are tied by the view tuples that they share. A bundle in a view tuple with very many join tuples is tied to all
of those, so it is not even looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.analyses.breach.join_tuples import Bundles
from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Int64s
from deniable.worlds.views.formula import Formula, least_steps

MOST_TUPLES = 10_000  # join tuples of a formula that is counted: worlds are numbers of so many bits


@frozen
class Ties:
    """Which bundles pass through each kind of view tuple: of view k and kind u,
    inside[k][starts[k][u] : starts[k][u + 1]]. Closed kinds are those with a bundle that is not looked at."""

    bundles: Bundles
    home: int
    inside: tuple[Int64s, ...]
    starts: tuple[Int64s, ...]
    closed: tuple[Bools, ...]

    @classmethod
    def between(cls, bundles: Bundles, home: int) -> Ties:
        """Sorted by view tuple, view by view."""
        near = np.ones(len(bundles.v), np.bool_)
        for u, sizes in zip(bundles.u, bundles.sizes, strict=True):
            near &= sizes[u] <= MOST_TUPLES
        looked_at = np.flatnonzero(near)
        inside, starts, closed = [], [], []
        for u, sizes in zip(bundles.u, bundles.sizes, strict=True):
            order = np.argsort(u[looked_at], kind="stable")
            inside.append(looked_at[order])
            starts.append(np.searchsorted(u[inside[-1]], np.arange(len(sizes) + 1)))
            shut = np.zeros(len(sizes), np.bool_)
            shut[u[~near]] = True
            closed.append(shut)
        return cls(bundles, home, tuple(inside), tuple(starts), tuple(closed))

    def component(self, own: Sequence[tuple[int, int]], steps: int) -> list[int] | None:
        """The bundles tied to a person's ID-side tuples; None as soon as so many steps would not count them."""
        waiting = [(self.home, a) for a, _ in own]
        seen, found, tuples = set(waiting), dict[int, None](), 0
        while waiting:
            k, u = waiting.pop()
            if self.closed[k][u]:
                return None
            for bundle in self.inside[k][self.starts[k][u] : self.starts[k][u + 1]].tolist():
                if bundle in found:
                    continue
                found[bundle] = None
                ends = [(j, int(other[bundle])) for j, other in enumerate(self.bundles.u)]
                tuples += int(np.prod([mu[bundle] for mu in self.bundles.mu]))
                waiting += [end for end in ends if end not in seen]
                seen.update(ends)
                if tuples > MOST_TUPLES or least_steps(len(seen), tuples) > steps:
                    return None
        return list(found)

    def formula(self, own: Sequence[tuple[int, int]], found: Sequence[int]) -> tuple[Formula, list[int]]:
        """What was found as a formula, and what its values, numbered from 0, are called in the table.

        View tuples and values are numbered as they come, so that components which look alike are equal.
        """
        times, kinds, names = dict(own), dict[tuple[int, int, bool], int](), dict[int, int]()
        copies: list[int] = []
        bundles: list[tuple[int, ...]] = []
        values: list[int] = []

        def kind(view: int, u: int, mine: bool, count: int) -> int:
            place = kinds.setdefault((view, u, mine), len(kinds))
            if place == len(copies):
                copies.append(count)
            return place

        for bundle in found:
            u = [int(of[bundle]) for of in self.bundles.u]
            mu = [int(of[bundle]) for of in self.bundles.mu]
            others = [kind(k, u[k], False, mu[k]) for k in range(len(u)) if k != self.home]
            mine = times.get(u[self.home], 0)
            if mine:
                bundles.append((kind(self.home, u[self.home], True, mine), *others))
                values.append(names.setdefault(int(self.bundles.v[bundle]), len(names)))
            if mu[self.home] > mine:
                bundles.append((kind(self.home, u[self.home], False, mu[self.home] - mine), *others))
                values.append(-1)
        persons = tuple(place for (_, _, is_own), place in kinds.items() if is_own)
        return Formula(tuple(copies), tuple(bundles), tuple(values), persons), list(names)
