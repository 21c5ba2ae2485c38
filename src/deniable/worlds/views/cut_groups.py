"""Two views whose join is cut: not every ID-side tuple of a join group can go with every P-side tuple.

Worlds are then the covers of a bipartite graph that is not complete, and the closed forms do not hold. Counted here,
exactly and while that is small: worlds in which everybody has a given number of tuples, by inclusion and exclusion over
the P-side tuples that are left uncovered, Σ_b (-1)^|b| Π_q C(n_q, b_q) Π_i N_i(b), N_i being the ways to choose the
tuples of person i among those that are left; and worlds of counted rows, row by row, over what is left of the column
sums (docs/theory/coarser-columns.md, "Two views").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb, prod

from deniable.frozen import frozen

Shares = dict[int, Fraction]  # by value


class TooLarge(Exception):
    """More steps than were allowed."""


@frozen
class Owner:
    """People who are alike: their ID-side tuples, each as its kind and how often it is published, and how many joined
    tuples they have in each join group."""

    tuples: tuple[tuple[int, int], ...]
    joined: tuple[tuple[int, int], ...]  # group, tuples
    many: int = 1


@frozen
class CutGroup:
    """What is tied to a person: which kinds of P-side tuples each kind of ID-side tuple can go with, and the value that
    they then have; how often each P-side tuple of a kind is published; and the others who are tied."""

    reach: Mapping[int, Mapping[int, int]]  # ID side, P side: value
    group: Mapping[int, int]  # the join group of a kind of ID-side tuple
    sizes: Mapping[int, tuple[int, ...]]
    others: tuple[Owner, ...]

    def values(self, me: Owner) -> set[int]:
        """What the person can have."""
        return {value for a, _ in me.tuples for value in self.reach[a].values()}


def one_each(part: CutGroup, me: Owner, most: int) -> Shares | None:
    """Everybody has one tuple; None if there is no such world. Raises TooLarge."""
    if any(len(owner.tuples) > 1 for owner in (me, *part.others)):
        return None
    single = [replace(owner, joined=((part.group[owner.tuples[0][0]], 1),)) for owner in (me, *part.others)]
    return as_many(replace(part, others=tuple(single[1:])), single[0], most)


def as_many(part: CutGroup, me: Owner, most: int) -> Shares | None:
    """Everybody has as many tuples in each join group as `joined` says; None if there is no such world. Raises
    TooLarge."""
    kinds = list(part.sizes)
    if prod(len(part.sizes[q]) + 1 for q in kinds) * (len(part.others) + 1) > most:
        raise TooLarge
    total, without = 0, dict.fromkeys(part.values(me), 0)
    for missed in product(*(range(len(part.sizes[q]) + 1) for q in kinds)):
        left = {q: len(part.sizes[q]) - gone for q, gone in zip(kinds, missed, strict=True)}
        ways = prod(comb(len(part.sizes[q]), gone) for q, gone in zip(kinds, missed, strict=True))
        ways *= -1 if sum(missed) % 2 else 1
        for owner in part.others:
            ways *= _ways(part, owner, left) ** owner.many
        if ways:
            total += ways * _ways(part, me, left)
            for value in without:
                without[value] += ways * _ways(part, me, left, value)
    return {value: 1 - Fraction(none, total) for value, none in without.items()} if total else None


def _ways(part: CutGroup, owner: Owner, left: Mapping[int, int], without: int | None = None) -> int:
    """How often somebody's tuples can be chosen: so many in each join group, one at least for each ID-side tuple, and
    none that has a value."""
    ways = 1
    for group, number in owner.joined:
        free = [
            sum(left[q] for q, value in part.reach[a].items() if value != without)
            for a, _ in owner.tuples
            if part.group[a] == group
        ]
        ways *= _surjective(number, free)
    return ways


def _surjective(number: int, free: Sequence[int]) -> int:
    """The ways to choose so many of some sets of options, one at least of each: [x^number] Π ((1 + x)^free - 1)."""
    found = [1] + [0] * number
    for options in free:
        grown = [0] * (number + 1)
        for have, ways in enumerate(found):
            for more in range(1, number - have + 1):
                grown[have + more] += ways * comb(options, more)
        found = grown
    return found[number]


def rows_counted(part: CutGroup, me: Owner, most: int, kept: tuple[bool, bool]) -> Shares:
    """Rows are seen as often as they are published, on the sides that keep duplicates. Raises TooLarge."""
    steps = _Steps(most)
    total = _matrices(part, me, kept, None, steps)
    values = sorted(part.values(me))
    return {value: 1 - Fraction(_matrices(part, me, kept, value, steps), total) for value in values}


@dataclass
class _Steps:
    left: int

    def take(self, number: int = 1) -> None:
        """Raises TooLarge when none is left."""
        self.left -= number
        if self.left < 0:
            raise TooLarge


State = tuple[tuple[int, ...], ...]  # for each kind of P-side tuple what is left of its tuples' sums, in order


def _matrices(part: CutGroup, me: Owner, kept: tuple[bool, bool], without: int | None, steps: _Steps) -> int:
    """How many matrices have the published margins; `without` a value, those in which the person has none of it.

    Where the ID side says DISTINCT its rows hold something; where the P side does, its columns do: a column of which
    nothing is left to cover is 0, as one whose sum is used up.
    """
    ids_kept, values_kept = kept
    kinds = list(part.sizes)
    begin = tuple(tuple(sorted(part.sizes[q] if values_kept else [1] * len(part.sizes[q]))) for q in kinds)
    found: Counter[State] = Counter({begin: 1})
    lines = [(a, size, without) for a, size in me.tuples]
    lines += [(a, size, None) for owner in part.others for a, size in owner.tuples for _ in range(owner.many)]
    for a, size, barred in lines:
        allowed = [i for i, q in enumerate(kinds) if q in part.reach[a] and part.reach[a][q] != barred]
        grown: Counter[State] = Counter()
        for state, ways in found.items():
            for after in _rows(state, allowed, size if ids_kept else None, values_kept, steps):
                grown[after] += ways
        found = grown
    return found[tuple((0,) * len(sums) for sums in begin)]


def _rows(state: State, allowed: Sequence[int], size: int | None, values_kept: bool, steps: _Steps) -> Iterator[State]:
    """What is left after each row of a matrix: of so many (None: of any number but none), in allowed columns."""
    columns = [(i, j) for i in allowed for j in range(len(state[i]))]
    sums = [list(one) for one in state]

    def fill(place: int, rest: int | None, empty: bool) -> Iterator[State]:
        steps.take()
        if place == len(columns):
            if not rest and not empty:
                yield tuple(tuple(sorted(one)) for one in sums)
            return
        i, j = columns[place]
        have = sums[i][j]
        most = have if values_kept else rest if rest is not None else have
        if rest is not None:
            most = min(most, rest)
        for number in range(most + 1):
            sums[i][j] = have - number if values_kept else 0 if number else have
            yield from fill(place + 1, None if rest is None else rest - number, empty and not number)
        sums[i][j] = have

    yield from fill(0, size, True)
