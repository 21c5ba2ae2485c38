"""Does the grouping itself speak? An adversary who knows the algorithm and all quasi-identifiers, by enumeration.

Posteriors assume that another assignment of a group's values would have led to the same groups. On small random
tables every assignment is tried, whatever withheld people have: it weighs what statistics make of it times how often
the program, run on it again and again, publishes what was published. People of one gender are alike to the program
(it numbers them by lot, and cuts no block of so few), so that assignments are told apart by how many people of each
gender have each value in each group. Printed, for groups that are drawn by lot alone and for those in which a place is
searched for whoever is left over: how often that lifts somebody's posterior above what was promised, and the price.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from benchmarks.sizes import FULL, Sizes
from deniable.publish.bucketize.robust import KnownPriors, place

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Kinds = tuple[int, ...]  # how many people of each gender have each value, gender by gender
Told = tuple[tuple[Kinds, ...], Kinds]  # that of each group, in order, and of those withheld

PEOPLE, VALUES, R = 8, 4, 2.0
ABOVE = 0.05  # of 1 / R
ENOUGH = 0.98  # of the weight of all assignments, the heaviest kinds first


@dataclass(frozen=True)
class Beliefs:
    """Everybody's largest posterior: of published people as assumed and to who runs the program, of withheld ones."""

    groups: int
    assumed: list[float]
    aware: list[float]
    withheld: list[float]


def main(sizes: Sizes = FULL) -> None:
    """Print two lines: by lot; and with a search, for a quarter of the tables."""
    for search in (False, True):
        rng = np.random.default_rng(1)
        tables = -(-sizes.tables // 4) if search else sizes.tables
        found = [measure(rng, sizes.runs_of_world, search) for _ in range(tables)]
        assumed, aware, withheld = (
            np.array([one for case in found for one in getattr(case, name)])
            for name in ("assumed", "aware", "withheld")
        )  # fmt: skip
        how = "searched" if search else "by lot"
        print(
            f"the grouping itself, {tables} tables of {PEOPLE} people at r = {R:g}, {how}: the largest posterior is "
            f"{assumed.mean():.3f} on average as assumed and {aware.mean():.3f} to someone who knows the algorithm; "
            f"{np.mean(aware > 1 / R + ABOVE):.1%} of people are then above 1/{R:g} + {ABOVE:g}; "
            f"groups of {len(aware) / sum(case.groups for case in found):.2f}, "
            f"{len(withheld) / (PEOPLE * tables):.1%} withheld, {np.sum(withheld > 1 / R + ABOVE)} of {len(withheld)} "
            "of them above it too",
            flush=True,
        )


def measure(rng: np.random.Generator, runs: int, search: bool) -> Beliefs:
    """One table: published, then judged."""
    rng.integers(0, 6, PEOPLE)  # ages, which no block of so few is cut by; the tables are those of earlier measurements
    gender = rng.integers(0, 2, PEOPLE).astype(np.int32)
    priors = rng.dirichlet(np.full(VALUES, 3.0), 2)
    values = np.array([rng.choice(VALUES, p=priors[g]) for g in gender], np.int32)
    made = published(gender, values, priors, search)

    @cache
    def shares(people: Kinds) -> dict[Told, float]:
        """What is published of a table, with which chance; what was published of this one is a run, too."""
        each = np.array(people)
        world = np.repeat(np.tile(np.arange(VALUES), 2), each).astype(np.int32)
        sexes = np.repeat(np.repeat(np.arange(2), VALUES), each).astype(np.int32)
        told = Counter(published(sexes, world, priors, search) for _ in range(runs))
        told.update([made] if together(made) == people else [])
        return {one: count / told.total() for one, count in told.items()}

    worlds = list(assignments(made, priors))
    by_people: defaultdict[Kinds, float] = defaultdict(float)
    for told, weight in worlds:
        by_people[together(told)] += weight
    order = sorted(by_people, key=lambda people: -by_people[people])
    sums = np.cumsum([by_people[people] for people in order])
    heavy = set(order[: int(np.searchsorted(sums, ENOUGH * sums[-1])) + 1])
    seen = [
        (told, weight * shares(together(told)).get(in_order(told), 0.0) / ways(told))
        for told, weight in worlds
        if together(told) in heavy
    ]
    assumed, aware = beliefs(made, worlds), beliefs(made, seen)
    return Beliefs(len(made[0]), assumed[0], aware[0], aware[1])


def published(gender: Ints, values: Ints, priors: Floats, search: bool) -> Told:
    found = place([gender], values, [KnownPriors(gender, priors)], R, search=search)

    def kinds(rows: NDArray[np.bool_]) -> Kinds:
        return tuple(np.bincount(gender[rows] * VALUES + values[rows], minlength=2 * VALUES).tolist())

    groups = tuple(sorted(kinds(found.group_of == g) for g in range(found.groups)))
    return groups, kinds(found.group_of < 0)


def assignments(made: Told, priors: Floats) -> Iterator[tuple[Told, float]]:
    """Every way to hand the values of each group to its people, and any values to those withheld: with what they
    weigh, as many as there are."""
    groups, withheld = (np.array(made[0]).reshape(-1, 2, VALUES), np.array(made[1]).reshape(2, VALUES))
    choices = [list(splits(group)) for group in groups]
    left = [list(combinations_with_replacement(range(VALUES), int(n))) for n in withheld.sum(axis=1)]
    for inside in product(*choices):
        for outside in product(*left):
            rest = tuple(np.concatenate([np.bincount(one, minlength=VALUES) for one in map(_ints, outside)]).tolist())
            told = (inside, rest)
            often = prod(_orders(one[:VALUES]) * _orders(one[VALUES:]) for one in (*inside, rest))
            yield told, often * float(np.prod(priors.ravel() ** np.array(together(told))))


def _ints(numbers: tuple[int, ...]) -> NDArray[np.int64]:
    return np.array(numbers, np.int64)


def splits(group: NDArray[np.int64]) -> Iterator[Kinds]:
    """Who of a group can have what: how many of the first gender have each value, and of the second."""
    copies, first = group.sum(axis=0), int(group[0].sum())
    for own in product(*(range(int(c) + 1) for c in copies)):
        if sum(own) == first:
            yield (*own, *(int(c) - k for c, k in zip(copies, own, strict=True)))


def _orders(counts: Kinds) -> int:
    """How many ways there are to hand out so many copies of each value."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def together(told: Told) -> Kinds:
    """How many people of each gender have each value in all."""
    return tuple(map(sum, zip(*told[0], told[1], strict=True)))


def in_order(told: Told) -> Told:
    return tuple(sorted(told[0])), told[1]


def ways(told: Told) -> float:
    """Among how many choices of people of the same kinds those who were published are one."""
    parts = prod(map(factorial, (n for one in (*told[0], told[1]) for n in one)))
    return prod(map(factorial, together(told))) / parts / prod(map(factorial, Counter(told[0]).values()))


def beliefs(made: Told, worlds: list[tuple[Told, float]]) -> tuple[list[float], list[float]]:
    """The largest posterior of everybody in a group, and of everybody withheld."""
    total = sum(weight for _, weight in worlds)
    found: list[list[float]] = []
    for place_, kinds in enumerate((*made[0], made[1])):
        people = np.array(kinds).reshape(2, VALUES).sum(axis=1)
        sums = np.zeros((2, VALUES))
        for told, weight in worlds:
            sums += weight * np.array((*told[0], told[1])[place_]).reshape(2, VALUES)
        share = sums / np.maximum(people, 1)[:, None] / total
        found.append([float(share[g].max()) for g in (0, 1) for _ in range(people[g])])
    return [one for group in found[:-1] for one in group], found[-1]


if __name__ == "__main__":
    main()
