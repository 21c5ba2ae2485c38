"""Somebody whose rows repeat in one join group: what is counted of them and of the group decides the answer.

Where a group is small its margins are known in full (`margins`), and the answer is exact; of a large one only a few
counts are, and the answer may be an interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from deniable.frozen import frozen
from deniable.worlds.views import margins
from deniable.worlds.views.covers import Probability, exactly
from deniable.worlds.views.margins import Margin


@frozen
class Small:
    """How often the tuples of a small group are published: how many are how often, of both sides and of the value."""

    ids: Mapping[int, int]
    values: Mapping[int, int]
    mine: Mapping[int, int]


@frozen
class OwnCounts:
    """Of the group m and n tuples on its sides and `rows` rows; of the value c tuples and r rows; of the person one
    ID-side tuple, published `own` times, with `joined` different P-side tuples. `as_often` ID-side tuples are published
    as often as the person's, or oftener. The sides may keep duplicates (else rows are not counted there)."""

    m: int
    n: int
    rows: int
    c: int
    r: int
    own: int
    joined: int
    as_often: int
    ids_kept: bool
    values_kept: bool
    small: Small | None = None


def counted(who: OwnCounts) -> Probability:
    """Any `joined` of the n P-side tuples."""
    return margins.drawn(who.n, who.joined, who.c)


def bag(who: OwnCounts) -> Probability | None:
    """Rows are counted; None where nothing is known."""
    if not (who.ids_kept or who.values_kept):
        return None
    if who.small:
        ids, values = Margin.of(who.small.ids, kept=who.ids_kept), Margin.of(who.small.values, kept=who.values_kept)
        mine = [size for size, many in who.small.mine.items() for _ in range(many)]
        return margins.associated(ids, [who.own], values, mine if who.values_kept else [1] * who.c)
    return _of_large(who)


def _of_large(who: OwnCounts) -> Probability | None:
    """The same from few counts: one side has every tuple once, or else by expectations."""
    if who.m == 1 or who.c == who.n:
        return exactly(Fraction(1))
    if who.rows == who.m or (who.rows == who.n and who.ids_kept):
        return margins.drawn(who.rows, who.own, who.r) if who.values_kept else margins.drawn(who.n, who.own, who.c)
    if who.ids_kept and who.values_kept:
        most = Fraction(who.r, who.as_often)
        return exactly(Fraction(1)) if who.own + who.r > who.rows else margins.between(Fraction(0), most)
    each = who.r if who.values_kept else who.own
    share = (
        Fraction(1, who.m) if who.values_kept else Fraction(who.c, who.n)
    )  # everybody is alike, or all P-side tuples
    return exactly(share) if each == 1 else margins.between(share, share * each)
