"""People who stand in several join groups (or in one, with several tuples).

Groups are independent, so worlds multiply: the association is missing with the product
of the groups' probabilities to miss it, and the worlds in which the person has p only
are counted by the product of the groups' weights of p, over values that all of them have.
All values of a person's groups together are what joining the views allows that person: the
*association cover*.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable.worlds.views import covers
from deniable.worlds.views.covers import EXACT_EDGES, Probability, enclosed, exactly


@dataclass(frozen=True)
class Membership:
    """A person's part in one join group: a of its m ID-side tuples.

    `tuples` maps each value of the group to its number of P-side tuples, `rows` to its
    number of rows; `bag` says that the adversary with row counts can be answered,
    `one_each` that everybody in the group has one ID-side tuple in all.
    """

    m: int
    a: int
    tuples: Mapping[Any, int]
    rows: Mapping[Any, int]
    bag: bool = False
    one_each: bool = False

    @property
    def n(self) -> int:
        """The group's P-side tuples."""
        return sum(self.tuples.values())


def unrestricted(memberships: Sequence[Membership], value: Hashable) -> Probability:
    """1 - product over the groups that have the value of (1 - P)."""
    having = [(g.m, g.n, g.a, g.tuples[value]) for g in memberships if value in g.tuples]
    answers = [covers.unrestricted(*shape) for shape in having]
    if any(answer.exact == 1 for answer in answers):
        return exactly(Fraction(1))
    fractions = [answer.exact for answer in answers if answer.exact is not None]
    if len(fractions) == len(answers):
        return exactly(1 - math.prod((1 - f for f in fractions), start=Fraction(1)))
    from flint import arb

    missing = arb(1)
    for m, n, a, c in having:
        edges = covers.cover_share(m, n, a, c) / covers.cover_share(m, n, 0, 0)
        missing *= edges * arb((1, -a * c))
    return enclosed(1 - missing)


def restricted(memberships: Sequence[Membership], value: Hashable) -> Probability | None:
    """Weight of the value over the weight of all values, among worlds with a single one."""
    common = set(memberships[0].tuples)
    for membership in memberships[1:]:
        common &= set(membership.tuples)
    exact = all(g.m * g.n <= EXACT_EDGES for g in memberships)
    weights: dict[Hashable, Any] = {}
    for candidate in common:
        parts = [_weight(g, candidate, exact) for g in memberships]
        weights[candidate] = math.prod(parts[1:], start=parts[0])
    possible = {candidate: w for candidate, w in weights.items() if w != 0}
    if not possible:
        return None
    if value not in possible:
        return exactly(Fraction(0))
    total = sum(possible.values())
    if exact:
        return exactly(Fraction(possible[value], total))
    return exactly(Fraction(1)) if len(possible) == 1 else enclosed(possible[value] / total)


def _weight(membership: Membership, value: Hashable, exact: bool) -> Any:
    m, n, a, c = membership.m, membership.n, membership.a, membership.tuples[value]
    if exact:
        return covers.covers(m, n, a, n - c)
    return covers.weight(m, n, a, c)


def keyed(memberships: Sequence[Membership], value: Hashable) -> Probability | None:
    """c of n for somebody with one tuple, in a group where everybody has one; else there is no world."""
    only = memberships[0]
    if len(memberships) > 1 or only.a > 1 or not only.one_each:
        return None
    return covers.keyed(only.m, only.n, only.tuples[value])


def bag(memberships: Sequence[Membership], value: Hashable) -> Probability | None:
    """1 - product over groups of the chance that none of the person's rows has the value."""
    missing = Fraction(1)
    for membership in memberships:
        if value not in membership.rows:
            continue
        if not membership.bag:
            return None
        answer = covers.bag(membership.m, membership.a, membership.rows[value])
        missing *= 1 - (answer.exact if answer.exact is not None else 0)
    return exactly(1 - missing)
