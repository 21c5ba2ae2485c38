"""The possible-worlds formula itself: one variable per join tuple, one clause per view tuple.

Worlds are the assignments in which every clause has a true variable. Interchangeable view tuples are one kind of
clause, and join tuples that differ in such view tuples only are one bundle. `shares` counts the worlds of one person in
exact integers, all values in one pass (`frontier`), or gives up in time.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod

from deniable.frozen import frozen
from deniable.worlds.views.covers import Probability, exactly
from deniable.worlds.views.frontier import LONG, Frontier, TooWide

Shares = Mapping[int, tuple[Probability, Probability | None]]  # value -> unrestricted, restricted (None: no world)


@frozen
class Formula:
    """Everything that is tied to one person.

    copies[k] is how many clauses of kind k there are; bundles[i] lists kinds of clauses, and has one join tuple for
    each choice of one clause of each; values[i] is the value that these give the asked person, or -1 when they are
    somebody else's. `own` are the kinds of the person's ID-side clauses, of which all copies are the person's: each of
    the person's bundles is in exactly one of them.
    """

    copies: tuple[int, ...]
    bundles: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    own: tuple[int, ...]

    @property
    def tuples(self) -> int:
        """How many join tuples there are: so many bits has the number of assignments."""
        return sum(prod(self.copies[k] for k in bundle) for bundle in self.bundles)

    @property
    def least_steps(self) -> int:
        """Fewer steps than this will not count it."""
        return least_steps(len(self.copies), self.tuples)


def least_steps(clauses: int, tuples: int) -> int:
    """A step for each kind of clause, kept and not, on numbers of as many bits as there are join tuples."""
    return 2 * clauses * (1 + tuples // LONG)


def shares(formula: Formula, steps: int) -> Shares | None:
    """Each value's share of all worlds, and of those with exactly one value; None when `steps` do not suffice."""
    if formula.least_steps > steps:
        return None
    try:
        counted = Frontier(formula.copies, formula.bundles, formula.values, formula.own, steps).count()
    except TooWide:
        return None
    values = sorted({v for v in formula.values if v >= 0})
    total, without, only = 0, dict.fromkeys(values, 0), dict.fromkeys(values, 0)
    times = [formula.copies[a] for a in formula.own]
    for alive, weight in counted:
        everything = [sum(of.values()) for of in alive]
        total += _covered(weight, everything, times)
        for v in values:
            mine = [of.get(v, 0) for of in alive]
            without[v] += _covered(weight, [n - k for n, k in zip(everything, mine, strict=True)], times)
            only[v] += _covered(weight, mine, times)
    single = sum(only.values())
    return {
        v: (exactly(1 - Fraction(without[v], total)), exactly(Fraction(only[v], single)) if single else None)
        for v in values
    }


def _covered(weight: int, variables: list[int], times: list[int]) -> int:
    """So many worlds, times the ways to keep something in each of the person's ID-side clauses."""
    for n, copies in zip(variables, times, strict=True):
        if not n:
            return 0
        weight *= ((1 << n) - 1) ** copies
    return weight
