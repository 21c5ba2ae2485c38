"""Does the grouping itself speak? An adversary who knows the algorithm and all quasi-identifiers, by enumeration.

Posteriors assume that another assignment of a group's values would have led to the same groups. On small random
tables every assignment is tried: those from which the algorithm makes the same groups are what this adversary is
left with. Printed: how often that lifts somebody's posterior above what was promised, and by how much it moves.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from benchmarks.sizes import FULL, Sizes
from deniable.publish.bucketize.robust import KnownPriors, place

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

PEOPLE, VALUES, R = 8, 4, 2.0


def main(sizes: Sizes = FULL) -> None:
    """Print one line."""
    rng = np.random.default_rng(1)
    told = [case for case in (measure(rng) for _ in range(sizes.tables)) if case is not None]
    promised = np.concatenate([case[0] for case in told])
    known = np.concatenate([case[1] for case in told])
    over = float(np.mean(known > 1 / R + 1e-9))
    print(
        f"the grouping itself, {len(told)} tables of {PEOPLE} people at r = {R:g}: the largest posterior is "
        f"{promised.mean():.3f} on average as assumed and {known.mean():.3f} to someone who knows the algorithm; "
        f"{over:.1%} of people are then above 1/{R:g}",
        flush=True,
    )


def measure(rng: np.random.Generator) -> tuple[Floats, Floats] | None:
    """Everybody's largest posterior, as assumed and for someone who runs the algorithm on every assignment."""
    age = rng.integers(0, 6, PEOPLE).astype(np.int32)
    gender = rng.integers(0, 2, PEOPLE).astype(np.int32)
    priors = rng.dirichlet(np.full(VALUES, 3.0), 2)
    values = np.array([rng.choice(VALUES, p=priors[g]) for g in gender], np.int32)
    found = groups(age, values, gender, priors)
    if not found:
        return None
    assumed, aware = np.zeros((PEOPLE, VALUES)), np.zeros((PEOPLE, VALUES))
    for world in assignments(found, values):
        weight = float(np.prod(priors[gender, world]))
        assumed[np.arange(PEOPLE), world] += weight
        if groups(age, world, gender, priors) == found:
            aware[np.arange(PEOPLE), world] += weight
    placed = sorted(row for group in found for row in group)
    assumed, aware = (x[placed] / x[placed].sum(axis=1, keepdims=True) for x in (assumed, aware))
    return assumed.max(axis=1), aware.max(axis=1)


def groups(age: Ints, values: Ints, gender: Ints, priors: Floats) -> frozenset[frozenset[int]]:
    group_of = place([age, gender], values, [KnownPriors(gender, priors)], R).group_of
    return frozenset(frozenset(np.flatnonzero(group_of == g).tolist()) for g in range(int(group_of.max()) + 1))


def assignments(found: frozenset[frozenset[int]], values: Ints) -> list[Ints]:
    """Every way to hand the values of each group to its people."""
    parts = [sorted(group) for group in found]
    worlds = []
    for orders in product(*(set(permutations(values[part].tolist())) for part in parts)):
        world = values.copy()
        for part, order in zip(parts, orders, strict=True):
            world[part] = order
        worlds.append(world)
    return worlds


if __name__ == "__main__":
    main()
