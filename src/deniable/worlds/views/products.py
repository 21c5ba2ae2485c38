"""People who stand in several join groups (or in one, with several tuples).

Groups are independent, so worlds multiply: the association is missing with the product
of the groups' probabilities to miss it, and the worlds in which the person has p only
are counted by the product of the groups' weights of p, over values that all of them have.
All values of a person's groups together are what joining the views allows that person: the
*association cover*.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from deniable.frozen import frozen
from deniable.worlds.views import covers, margins
from deniable.worlds.views.covers import EXACT_EDGES, Probability, enclosed, exactly
from deniable.worlds.views.margins import Margin, People


@frozen
class Membership:
    """A person's part in one join group: a of its m ID-side tuples, and `joined` tuples of both sides together.

    `tuples` maps each value of the group to its number of P-side tuples; `one_each` says that everybody in the group
    has one ID-side tuple in all; `people` says how many have how many ID-side and joined tuples. `rows` is how often
    tuples are published, where that is known.
    """

    m: int
    a: int
    tuples: Mapping[Any, int]
    one_each: bool = False
    joined: int = 1
    people: People = ()
    rows: Rows | None = None

    @property
    def n(self) -> int:
        """The group's P-side tuples."""
        return sum(self.tuples.values())


@frozen
class Rows:
    """How often the tuples of a group are published: those of both sides, the person's own, and each value's."""

    ids: Margin
    own: tuple[int, ...]
    values: Margin
    of: Mapping[Any, tuple[int, ...]]

    @classmethod
    def told(
        cls, ids: Mapping[int, int], own: tuple[int, ...], of: Mapping[Any, tuple[int, ...]], kept: tuple[bool, bool]
    ) -> Rows:
        """What views tell of them: on a side that does not keep duplicates, only that each is there."""
        ids_kept, values_kept = kept
        sizes = Counter(size for mine in of.values() for size in mine)
        return cls(
            Margin.of(ids, kept=ids_kept),
            own if ids_kept else (1,) * len(own),
            Margin.of(sizes, kept=values_kept),
            of if values_kept else {value: (1,) * len(mine) for value, mine in of.items()},
        )


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


def counted(memberships: Sequence[Membership], value: Hashable) -> Probability:
    """Everybody has as many tuples in each group as in the table; groups are independent."""
    having = [g for g in memberships if value in g.tuples]
    return _anywhere([margins.counted(g.people, g.a, g.joined, g.n, g.tuples[value]) for g in having])


def bag(memberships: Sequence[Membership], value: Hashable) -> Probability | None:
    """Rows are counted; groups are independent. None where nothing is known of a group."""
    answers = []
    for membership in memberships:
        if value not in membership.tuples:
            continue
        rows = membership.rows
        found = margins.associated(rows.ids, rows.own, rows.values, rows.of[value]) if rows else None
        if found is None:
            return None
        answers.append(found)
    return _anywhere(answers)


def _anywhere(answers: Sequence[Probability]) -> Probability:
    """1 - product of the chances to miss it."""
    fractions = [answer.exact for answer in answers if answer.exact is not None]
    if len(fractions) == len(answers) or 1 in fractions:
        return exactly(1 - math.prod((1 - f for f in fractions), start=Fraction(1)))
    if len(answers) == 1:
        return answers[0]
    ends = []
    for low in (True, False):
        chances = (a.exact if a.exact is not None else Fraction(a.lower if low else a.upper) for a in answers)
        ends.append(float(1 - math.prod((1 - f for f in chances), start=Fraction(1))))
    lower, upper = max(0.0, math.nextafter(ends[0], -1.0)), min(1.0, math.nextafter(ends[1], 2.0))
    return Probability(lower + (upper - lower) / 2, lower, upper)
