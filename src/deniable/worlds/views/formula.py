"""The possible-worlds formula itself: one variable per join tuple, one clause per view tuple.

Worlds are the assignments in which every clause has a true variable. `Formula` may be a
neighbourhood: a clause with more members than are listed is known by its size only.
Small formulas are counted exactly, over variables or over clauses, whichever is fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from deniable.worlds.views.covers import Probability, exactly

EXACT_BITS = 16  # formulas of up to so many variables (or clauses) are counted exactly


@dataclass(frozen=True)
class Formula:
    """clauses[i] lists variables; sizes[i] counts them all; values[x] is the asked person's
    value of variable x, or -1 when x is somebody else's."""

    clauses: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    values: tuple[int, ...]

    def person(self, value: int | None = None) -> list[int]:
        """The person's variables, with one value or all."""
        return [x for x, v in enumerate(self.values) if v >= 0 and (value is None or v == value)]


def models(formula: Formula, without: Iterable[int]) -> int:
    """How many worlds leave all these variables false."""
    gone = set(without)
    clauses = [frozenset(members) - gone for members in formula.clauses]
    if any(not members for members in clauses):
        return 0
    minimal = _minimal(clauses)
    variables = sorted(set().union(*minimal)) if minimal else []
    free = len(formula.values) - len(gone) - len(variables)
    place = {x: i for i, x in enumerate(variables)}
    masks = [sum(1 << place[x] for x in members) for members in minimal]
    count = _by_variables if len(variables) <= len(masks) else _by_clauses
    return count(masks, len(variables)) << free


def _minimal(clauses: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """A clause that contains another says nothing new."""
    kept: list[frozenset[int]] = []
    for members in sorted(set(clauses), key=len):
        if not any(smaller <= members for smaller in kept):
            kept.append(members)
    return kept


def _by_variables(masks: Sequence[int], variables: int) -> int:
    return sum(all(mask & world for mask in masks) for world in range(1 << variables))


def _by_clauses(masks: Sequence[int], variables: int) -> int:
    """Inclusion-exclusion over the clauses that stay uncovered."""
    total = 0
    unions = [0] * (1 << len(masks))
    for chosen in range(1 << len(masks)):
        if chosen:
            low = chosen & -chosen
            unions[chosen] = unions[chosen ^ low] | masks[low.bit_length() - 1]
        sign = -1 if bin(chosen).count("1") % 2 else 1
        total += sign << (variables - bin(unions[chosen]).count("1"))
    return total


def unrestricted(formula: Formula, value: int) -> Probability:
    """The share of worlds in which the person has the value; the formula must be small."""
    return exactly(1 - Fraction(models(formula, formula.person(value)), models(formula, ())))


def restricted(formula: Formula, value: int) -> Probability | None:
    """The same among worlds with exactly one value; None when there is none."""
    everything = set(formula.person())
    nothing = models(formula, everything)
    weights = {v: models(formula, everything - set(formula.person(v))) - nothing for v in set(formula.values) if v >= 0}
    total = sum(weights.values())
    return exactly(Fraction(weights[value], total)) if total else None
