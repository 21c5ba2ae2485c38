"""The judge: lists every world of one group by brute force. Shares no code with the fast paths.

A world hands the group's values, copies included, to its people; it weighs the product of what the adversary
thinks of each person having theirs. In fractions, so the answer is exact for the doubles that it was asked
about. Small groups only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import prod

Matrix = list[list[Fraction]]


def full(people: Sequence[int], copies: Sequence[int], priors: Sequence[Sequence[float]]) -> Matrix | None:
    """The share of the weight in which the first person of signature a has value x; None: no world."""
    persons = [a for a, count in enumerate(people) for _ in range(count)]
    values = [x for x, count in enumerate(copies) for _ in range(count)]
    exact = [[Fraction(p) for p in row] for row in priors]
    weight = {
        world: prod((exact[a][x] for a, x in zip(persons, world, strict=True)), start=Fraction(1))
        for world in permutations(values)
    }
    total = sum(weight.values())
    if not total:
        return None
    return [
        [sum((w for world, w in weight.items() if world[persons.index(a)] == x), Fraction()) / total
         for x in range(len(copies))]
        for a in range(len(people))
    ]  # fmt: skip


def marginal(people: Sequence[int], copies: int, priors: Sequence[float]) -> list[Fraction] | None:
    """The same for someone who only knows, for one value, how likely each signature has it; None: no world."""
    persons = [a for a, count in enumerate(people) for _ in range(count)]
    exact = [Fraction(p) for p in priors]
    holders = list(combinations(range(len(persons)), copies))
    weights = [prod((exact[a] if i in held else 1 - exact[a]) for i, a in enumerate(persons)) for held in holders]
    total = sum(weights)
    if not total:
        return None
    return [
        sum((Fraction(w) for held, w in zip(holders, weights, strict=True) if persons.index(a) in held), Fraction())
        / total
        for a in range(len(people))
    ]


def permanent(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """By inclusion and exclusion."""
    size = len(matrix)
    total = Fraction()
    for chosen in range(1, size + 1):
        for columns in combinations(range(size), chosen):
            product = Fraction((-1) ** (size - chosen))
            for row in matrix:
                product *= sum((row[j] for j in columns), Fraction())
            total += product
    return total


def shares(signatures: Sequence[int], values: Sequence[int]) -> list[list[float]]:
    """Of the people with each signature, the share with each value: what the table itself says."""
    counts = [[0] * (max(values, default=0) + 1) for _ in range(max(signatures, default=0) + 1)]
    for signature, value in zip(signatures, values, strict=True):
        counts[signature][value] += 1
    return [[count / max(sum(row), 1) for count in row] for row in counts]
