"""Every world of one person's component, join tuple by join tuple: a judge for tables of six to nine rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction

from deniable.worlds.judges import views as worlds
from deniable.worlds.judges.views import Row

Judged = dict[Hashable, tuple[Fraction, Fraction | None]]  # value -> unrestricted, restricted
End = tuple[int, tuple[Hashable, ...]]  # a view and one of its tuples
MOST = 20_000  # different beginnings of worlds that are kept


def listed(rows: list[Row], views: Sequence[Sequence[str]], person: Hashable) -> Judged | None:
    """What the person's values have of all worlds, and of those with one value; None: too many to list.

    Beginnings of worlds that cover the same view tuples, of those that are still to come, and give the person the same
    values are counted together.
    """
    joined = [dict(t) for t in worlds.join([set(worlds.project(rows, view)) for view in views])]
    ends = [frozenset((k, tuple(t[c] for c in view)) for k, view in enumerate(views)) for t in joined]
    tied = _tied(ends, {x for x, t in enumerate(joined) if t["id"] == person})
    begun: Counter[tuple[frozenset[End], frozenset[Hashable]]] = Counter({(frozenset(), frozenset()): 1})
    for place, x in enumerate(tied):
        last = ends[x].difference(*(ends[y] for y in tied[place + 1 :]))
        gives = {joined[x]["p"]} if joined[x]["id"] == person else set()
        grown: Counter[tuple[frozenset[End], frozenset[Hashable]]] = Counter()
        for (covered, values), count in begun.items():
            grown[covered | ends[x], values | gives] += count
            grown[covered, values] += count
        begun = Counter()
        for (covered, values), count in grown.items():
            if last <= covered:
                begun[covered - last, values] += count
        if len(begun) > MOST:
            return None
    by_values = {values: count for (_, values), count in begun.items()}
    total, single = sum(by_values.values()), sum(n for values, n in by_values.items() if len(values) == 1)
    return {
        value: (
            Fraction(sum(n for values, n in by_values.items() if value in values), total),
            Fraction(by_values.get(frozenset([value]), 0), single) if single else None,
        )
        for value in {joined[x]["p"] for x in tied if joined[x]["id"] == person}
    }


def _tied(ends: list[frozenset[End]], found: set[int]) -> list[int]:
    """The join tuples that share a view tuple with those found, or with others that do."""
    while True:
        reached = frozenset[End]().union(*(ends[x] for x in found))
        grown = {x for x, mine in enumerate(ends) if mine & reached}
        if grown == found:
            return sorted(found)
        found = grown
