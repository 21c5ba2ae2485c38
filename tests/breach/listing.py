"""Every world of one person's component, join tuple by join tuple: a judge for tables of six to nine rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from deniable.worlds.judges import views as worlds
from deniable.worlds.judges.views import Row

Judged = dict[Hashable, tuple[Fraction, Fraction | None]]  # value -> unrestricted, restricted
End = tuple[int, tuple[Hashable, ...]]  # a view and one of its tuples
MOST = 20_000  # different beginnings of worlds that are kept


def listed(rows: list[Row], views: Sequence[Sequence[str]], person: Hashable) -> Judged | None:
    """What the person's values have of all worlds, and of those with one value; None: too many to list.

    Beginnings of worlds that cover the same view tuples, of those that are still to come, and give the person the same
    values are counted together: a bit for each view tuple that is covered, and for each value.
    """
    joined = [dict(t) for t in worlds.join([set(worlds.project(rows, view)) for view in views])]
    ends = [frozenset((k, tuple(t[c] for c in view)) for k, view in enumerate(views)) for t in joined]
    tied = _tied(ends, {x for x, t in enumerate(joined) if t["id"] == person})
    bits: dict[End | Hashable, int] = {}
    begun = {0: 1}
    for place, x in enumerate(tied):
        last = _bits(bits, ends[x].difference(*(ends[y] for y in tied[place + 1 :])))
        taken = _bits(bits, [*ends[x], *([joined[x]["p"]] if joined[x]["id"] == person else [])])
        grown: defaultdict[int, int] = defaultdict(int)
        for state, count in begun.items():
            grown[(state | taken) & ~last] += count
            if state & last == last:  # or a tuple of a view would never be covered
                grown[state & ~last] += count
        begun = grown
        if len(begun) > MOST:
            return None
    total, single = sum(begun.values()), sum(count for values, count in begun.items() if values.bit_count() == 1)
    return {
        value: (
            Fraction(sum(count for values, count in begun.items() if values & bits[value]), total),
            Fraction(begun.get(bits[value], 0), single) if single else None,
        )
        for value in {joined[x]["p"] for x in tied if joined[x]["id"] == person}
    }


def _bits(known: dict[End | Hashable, int], wanted: Iterable[End | Hashable]) -> int:
    """Those of view tuples and values, one for each that was not known yet."""
    return sum(known.setdefault(one, 1 << len(known)) for one in wanted)


def _tied(ends: list[frozenset[End]], found: set[int]) -> list[int]:
    """The join tuples that share a view tuple with those found, or with others that do."""
    while True:
        reached = frozenset[End]().union(*(ends[x] for x in found))
        grown = {x for x, mine in enumerate(ends) if mine & reached}
        if grown == found:
            return sorted(found)
        found = grown
