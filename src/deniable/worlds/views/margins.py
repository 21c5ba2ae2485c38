"""Rows are counted: the worlds of a join group are matrices with given margins.

A cell says how often an ID-side tuple (its row) and a P-side tuple (its column) stand together. A view that keeps
duplicates fixes its margins, one that says DISTINCT only says that its margins are at least 1. The association is
missing where the cells of the person's rows and the value's columns are all 0: P = 1 - N0/N, each matrix counted once
(docs/theory/two-views.md, "Rows that are counted").

Closed forms where one side has every tuple once, or says DISTINCT; a program over remaining column sums beyond, while
its steps last; then bounds: a cell's expectation grows with its row's sum (Efron 1965), so those of the rows with
sums of s and more, which add up to at most the column, bound it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from deniable.frozen import frozen
from deniable.worlds.views.covers import Probability, exactly

STEPS = 10_000  # of the program, for one answer
_TERMS, _DIGITS = 50_000, 50_000_000  # of an inclusion-exclusion, and of all its terms together

Sizes = tuple[tuple[int, int], ...]  # how often a tuple is published, and how many tuples are: ascending


@frozen
class Margin:
    """One side of a join group; where duplicates are not kept, every size is 1 and means at least 1."""

    sizes: Sizes
    kept: bool

    @classmethod
    def of(cls, counts: Mapping[int, int], *, kept: bool) -> Margin:
        """From how many tuples are published how often."""
        return cls(tuple(sorted(counts.items())) if kept else ((1, sum(counts.values())),), kept)

    @property
    def tuples(self) -> int:
        """How many there are."""
        return sum(many for _, many in self.sizes)

    @property
    def rows(self) -> int:
        """How many rows they are published as; only where duplicates are kept."""
        return sum(size * many for size, many in self.sizes)

    def at_least(self, size: int) -> int:
        """How many tuples are published so often or oftener."""
        return sum(many for one, many in self.sizes if one >= size)

    def less(self, taken: Sequence[int]) -> Margin:
        """Without some of its tuples."""
        left = Counter(dict(self.sizes))
        left.subtract(taken)
        return Margin.of({size: many for size, many in left.items() if many}, kept=self.kept)


class _TooMany(Exception):
    """The program has more steps than it is given."""


def associated(ids: Margin, own: Sequence[int], values: Margin, mine: Sequence[int]) -> Probability | None:
    """How likely one of the person's rows has the value; None where nothing is known.

    `own` are the sizes of the person's ID-side tuples, `mine` those of the value's P-side tuples; on a side that does
    not keep duplicates each is 1. One side at least keeps them.
    """
    if ids.kept and values.kept:
        return _both(ids, tuple(sorted(own)), values, tuple(sorted(mine)))
    free, held = (ids, values) if values.kept else (values, ids)
    few, sums = (len(own), tuple(sorted(mine))) if values.kept else (len(mine), tuple(sorted(own)))
    return _one_free(free.tuples, few, held, sums)


def drawn(rows: int, own: int, with_value: int) -> Probability:
    """Every tuple of one side stands there once: whose rows have the value is a draw without replacement."""
    return exactly(1 - Fraction(math.comb(rows - with_value, own), math.comb(rows, own)))


@lru_cache(maxsize=1 << 14)
def _both(ids: Margin, own: tuple[int, ...], values: Margin, mine: tuple[int, ...]) -> Probability | None:
    rows, a, r = ids.rows, sum(own), sum(mine)
    if a + r > rows:
        return exactly(Fraction(1))
    if ids.sizes[-1][0] == 1 or values.sizes[-1][0] == 1:
        return drawn(rows, a, r)
    if _multiples(values) < _multiples(ids):  # the transposed matrix, if it has fewer long rows
        ids, own, values, mine = values, mine, ids, own
    try:
        missing, total = _missing(ids, own, values, mine)
    except _TooMany:
        return _bounded(ids, own, values, mine)
    return exactly(1 - Fraction(missing, total))


def _multiples(side: Margin) -> int:
    return sum(size * many for size, many in side.sizes if size > 1)


def _missing(ids: Margin, own: tuple[int, ...], values: Margin, mine: tuple[int, ...]) -> tuple[int, int]:
    """The matrices without the association, and all of them."""
    left = [STEPS]
    memo: dict[tuple[int, Sizes], int] = {}
    rest = _rows(ids.less(own))
    every = tuple(sorted((*rest, *own), reverse=True))
    total = _matrices(every, values.sizes, {}, left)

    def avoid(place: int, others: Sizes) -> int:
        if place == len(own):
            merged = Counter(dict(others))
            merged.update(mine)
            return _matrices(rest, tuple(sorted(merged.items())), memo, left)
        return sum(ways * avoid(place + 1, after) for ways, after in _spread(own[place], others, left))

    return avoid(0, values.less(mine).sizes), total


def _rows(side: Margin) -> tuple[int, ...]:
    """All sums, the longest first."""
    return tuple(size for size, many in reversed(side.sizes) for _ in range(many))


def _matrices(rows: tuple[int, ...], columns: Sizes, memo: dict[tuple[int, Sizes], int], left: list[int]) -> int:
    """How many matrices have these sums."""
    if not rows or rows[0] == 1:  # a row for each: the columns' units are put in any order
        ways = math.factorial(len(rows))
        for size, many in columns:
            ways //= math.factorial(size) ** many
        return ways
    key = len(rows), columns
    if key not in memo:
        memo[key] = sum(
            ways * _matrices(rows[1:], after, memo, left) for ways, after in _spread(rows[0], columns, left)
        )
    return memo[key]


def _spread(units: int, columns: Sizes, left: list[int]) -> Iterator[tuple[int, Sizes]]:
    """The ways to fill one row: how many there are for each outcome, and what is left of the columns."""
    for ways, after in _over_classes(units, columns):
        left[0] -= 1
        if left[0] < 0:
            raise _TooMany
        counts: Counter[int] = Counter()
        for size, many in after:
            counts[size] += many
        yield ways, tuple(sorted((size, many) for size, many in counts.items() if size and many))


def _over_classes(units: int, columns: Sizes) -> Iterator[tuple[int, Sizes]]:
    if not columns:
        if units == 0:
            yield 1, ()
        return
    (size, many), *others = columns
    room = sum(other * count for other, count in others)
    for ways, taken, after in _over_losses(size, size, many, units):
        if units - taken <= room:
            for more, rest in _over_classes(units - taken, tuple(others)):
                yield ways * more, after + rest


def _over_losses(size: int, most: int, many: int, units: int) -> Iterator[tuple[int, int, Sizes]]:
    """So many equal columns of which each loses at most `most`, all together at most `units`."""
    if most == 0 or many == 0:
        yield 1, 0, ((size, many),)
        return
    for losing in range(min(many, units // most) + 1):
        chosen = math.comb(many, losing)
        for ways, taken, after in _over_losses(size, most - 1, many - losing, units - losing * most):
            yield chosen * ways, taken + losing * most, ((size - most, losing), *after)


@lru_cache(maxsize=1 << 14)
def _one_free(tuples: int, few: int, held: Margin, sums: tuple[int, ...]) -> Probability | None:
    """One side has so many tuples, each at least once, `few` of which are asked about; the other's sums are known.

    By inclusion and exclusion over tuples that are left out: a column of c rows over k tuples has C(c+k-1, c) ways.
    """
    rows, r = held.rows, sum(sums)
    if few == tuples or len(sums) == held.tuples or few + r > rows:
        return exactly(Fraction(1))
    if rows == tuples or r == 1:  # then each is there once; or one row, which is as likely anybody's
        return drawn(tuples, few, r)
    if tuples * (few + 1) * len(held.sizes) * rows.bit_length() * rows <= _DIGITS:
        without = held.less(sums)
        total = sum((-1) ** b * math.comb(tuples, b) * _ways(held, tuples - b) for b in range(tuples))
        missing = 0
        for b2 in range(tuples - few):
            apart = math.prod(math.comb(c + tuples - few - b2 - 1, c) for c in sums) * math.comb(tuples - few, b2)
            inner = sum(
                (-1) ** (b1 + b2) * math.comb(few, b1) * _ways(without, tuples - b1 - b2) for b1 in range(few + 1)
            )
            missing += apart * inner
        return exactly(1 - Fraction(missing, total))
    expected = Fraction(few * r, tuples)
    return between(expected / r, expected)


def _ways(held: Margin, tuples: int) -> int:
    return math.prod(math.comb(size + tuples - 1, size) ** many for size, many in held.sizes)


def _bounded(ids: Margin, own: Sequence[int], values: Margin, mine: Sequence[int]) -> Probability | None:
    """By expectations: of a cell, and of all the cells that are asked about."""
    highest = sum((_most(ids, s, values, c) for s in own for c in mine), Fraction(0))
    lowest = max(_least(ids, s, values, c) / min(s, c) for s in own for c in mine)
    return between(lowest, highest)


def _most(ids: Margin, s: int, values: Margin, c: int) -> Fraction:
    """At most so much is expected in a cell: rows with larger sums expect as much or more, and so do columns."""
    return min(Fraction(c, ids.at_least(s)), Fraction(s, values.at_least(c)))


def _least(ids: Margin, s: int, values: Margin, c: int) -> Fraction:
    """At least so much: what longer rows cannot have, shared out evenly among those that are no longer."""
    longer = sum((many * _most(ids, size, values, c) for size, many in ids.sizes if size > s), Fraction(0))
    wider = sum((many * _most(ids, s, values, size) for size, many in values.sizes if size > c), Fraction(0))
    by_rows = (c - longer) / (ids.tuples - ids.at_least(s + 1))
    by_columns = (s - wider) / (values.tuples - values.at_least(c + 1))
    return max(by_rows, by_columns, Fraction(0))


def between(lowest: Fraction, highest: Fraction) -> Probability | None:
    """As doubles, rounded outwards; None where they say nothing."""
    if lowest <= 0 and highest >= 1:
        return None
    lower = max(0.0, math.nextafter(float(lowest), -1.0)) if lowest > 0 else 0.0
    upper = min(1.0, math.nextafter(float(highest), 2.0))
    return Probability(lower + (upper - lower) / 2, lower, upper)


# `counted`: sets of tuples, but everybody has as many in the group as in the table.

People = tuple[tuple[tuple[int, int], int], ...]  # (ID-side tuples, joined tuples) -> how many people have so many


def counted(people: People, a: int, t: int, n: int, c: int) -> Probability:
    """How likely somebody with t joined tuples, on a ID-side tuples, has a value that c of the n P-side tuples have.

    All P-side tuples are alike, so the t of somebody with one ID-side tuple are any t of the n; otherwise inclusion
    and exclusion over P-side tuples that nobody has, or the expectation t*c/n.
    """
    if a == 1:
        return drawn(n, t, c)
    if n * (c + 1) * len(people) * max(4, n) <= _TERMS:
        left = Counter(dict(people))
        left[a, t] -= 1
        total = sum((-1) ** b * math.comb(n, b) * _chosen(left, n - b) * _covering(a, t, n - b) for b in range(n + 1))
        missing = sum(
            (-1) ** (b1 + b2) * math.comb(c, b1) * math.comb(n - c, b2) * _chosen(left, n - b1 - b2)
            * _covering(a, t, n - c - b2)
            for b1 in range(c + 1) for b2 in range(n - c + 1)
        )  # fmt: skip
        return exactly(1 - Fraction(missing, total))
    expected = Fraction(t * c, n)
    found = between(expected / min(t, a * c), expected)
    return found or exactly(Fraction(1))


def _chosen(people: Counter[tuple[int, int]], k: int) -> int:
    return math.prod(_covering(a, t, k) ** many for (a, t), many in people.items())


@lru_cache(maxsize=1 << 14)
def _covering(a: int, t: int, k: int) -> int:
    """The ways to choose t of a*k tuples so that none of the a is left out."""
    return sum((-1) ** z * math.comb(a, z) * math.comb((a - z) * k, t) for z in range(a + 1))
