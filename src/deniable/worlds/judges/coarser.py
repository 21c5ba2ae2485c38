"""The judge of coarser columns: lists the private tables over a small domain that give exactly the published views.

A table is a set (where rows are counted, a multiset) of rows over the table's own columns, each row let through by the
condition. What a world says is what its rows show: one tuple over all published columns each, so rows that show the
same are listed once. Views are taken as they are published; nothing is closed, joined or taken for a function here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

Row = Mapping[str, Hashable]
Shown = tuple[Hashable, ...]  # a tuple over all published columns, or over those of one view
MOST = 15  # different tuples that rows can show, of which all sets are listed


class TooMany(Exception):
    """More than can be listed."""


@dataclass(frozen=True)
class Published:
    """A table, what is published of it, and which cells each of its columns could have had.

    `functions` are the coarser columns: (column, function of its cell). `told` are the columns that both of two views
    tell: what `counted` calls a join group.
    """

    rows: Sequence[Row]
    domains: Mapping[str, Sequence[Hashable]]
    functions: Mapping[str, tuple[str, Callable[[Hashable], Hashable]]]
    views: Sequence[Sequence[str]]
    identifier: str
    private: str
    where: Callable[[Row], bool] = bool  # a row has columns
    distinct: Sequence[bool] = ()
    told: Sequence[str] = ()

    @property
    def columns(self) -> list[str]:
        """All that some view shows."""
        return list(dict.fromkeys([self.private, self.identifier, *(name for view in self.views for name in view)]))

    def shows(self, row: Row, names: Sequence[str]) -> Shown:
        """Some columns of a row, coarser ones computed from its cells."""
        made = [self.functions.get(name, (name, lambda cell: cell)) for name in names]
        return tuple(function(row[of]) for of, function in made)

    def published(self) -> list[Counter[Shown]]:
        """The rows of each view, and how often each is there."""
        rows = [row for row in self.rows if self.where(row)]
        return [Counter(self.shows(row, view) for row in rows) for view in self.views]

    def tuples(self) -> list[Shown]:
        """What one row can show: every row that can be, less those that some published view lacks."""
        wanted, names = self.published(), list(self.domains)
        found: dict[Shown, None] = {}
        for cells in product(*(self.domains[name] for name in names)):
            row = dict(zip(names, cells, strict=True))
            if not self.where(row):
                continue
            if all(self.shows(row, view) in want for view, want in zip(self.views, wanted, strict=True)):
                found[self.shows(row, self.columns)] = None
        if len(found) > MOST:
            raise TooMany(len(found))
        return list(found)

    def at(self, shown: Shown, name: str) -> Hashable:
        """A column of what a row shows."""
        return shown[self.columns.index(name)]

    def part(self, shown: Shown, view: Sequence[str]) -> Shown:
        """What a view has of it."""
        return tuple(self.at(shown, name) for name in view)

    def pair(self, shown: Shown) -> tuple[Hashable, Hashable]:
        """The association that it is."""
        return self.at(shown, self.identifier), self.at(shown, self.private)


Judged = dict[tuple[Hashable, Hashable], dict[str, Fraction | None]]


def judged(release: Published) -> Judged:
    """(person, value) -> adversary -> probability, for every pair that some table allows."""
    tuples = release.tuples()
    pairs = dict.fromkeys(map(release.pair, tuples))
    found: Judged = {pair: {} for pair in pairs}
    worlds = list(_worlds(release, tuples))
    for person, value in pairs:
        mine = [_values(release, world, person) for world in worlds]
        found[person, value]["unrestricted"] = _share([value in have for have in mine])
        found[person, value]["restricted"] = _share([value in have for have in mine if len(have) == 1])
    if len(release.views) == 2:
        for person, value in pairs:
            found[person, value]["keyed"] = _keyed(release, tuples, person, value)
        _count(release, tuples, worlds, found)
    if not all(release.distinct or [False]):
        bags = list(_bags(release, tuples))
        for person, value in pairs:
            holds = [(person, value) in {release.pair(shown) for shown in bag} for bag in bags]
            found[person, value]["bag"] = _share(holds)
    return found


def _worlds(release: Published, tuples: Sequence[Shown]) -> Iterator[list[Shown]]:
    """Every set of tuples that shows, in each view, all that these tuples show there."""
    places: dict[tuple[int, Shown], int] = {}
    covers = []
    for shown in tuples:
        ends = [(k, release.part(shown, view)) for k, view in enumerate(release.views)]
        covers.append(sum(1 << places.setdefault(end, len(places)) for end in ends))
    everything = (1 << len(places)) - 1
    for chosen in range(1 << len(tuples)):
        covered, kept, rest = 0, [], chosen
        while rest:
            place = (rest & -rest).bit_length() - 1
            kept.append(tuples[place])
            covered |= covers[place]
            rest &= rest - 1
        if covered == everything:
            yield kept


def _values(release: Published, world: Sequence[Shown], person: Hashable) -> set[Hashable]:
    return {value for who, value in map(release.pair, world) if who == person}


def _share(holds: Sequence[bool]) -> Fraction | None:
    return Fraction(sum(holds), len(holds)) if holds else None


def _keyed(release: Published, tuples: Sequence[Shown], person: Hashable, value: Hashable) -> Fraction | None:
    """Of the tables in which everybody has one tuple, looking only at what is tied to the person."""
    part = _tied(release, tuples, person)
    single = [
        world
        for world in _worlds(release, part)
        if max(Counter(release.at(shown, release.identifier) for shown in world).values()) == 1
    ]
    return _share([value in _values(release, world, person) for world in single])


def _tied(release: Published, tuples: Sequence[Shown], person: Hashable) -> list[Shown]:
    """The tuples that share a view's tuple, or a person, with the person's own, or with others that do."""
    found = {shown for shown in tuples if release.at(shown, release.identifier) == person}
    while True:
        ends = {(k, release.part(shown, view)) for shown in found for k, view in enumerate(release.views)}
        people = {release.at(shown, release.identifier) for shown in found}
        grown = {
            shown
            for shown in tuples
            if release.at(shown, release.identifier) in people
            or any((k, release.part(shown, view)) in ends for k, view in enumerate(release.views))
        }
        if grown == found:
            return [shown for shown in tuples if shown in found]
        found = grown


def _count(release: Published, tuples: Sequence[Shown], worlds: Sequence[Sequence[Shown]], found: Judged) -> None:
    """Of the tables in which everybody has as many tuples in each join group as in the true one."""
    names = (release.identifier, *release.told)

    def numbers(world: Sequence[Shown]) -> Counter[Shown]:
        return Counter(release.part(shown, names) for shown in world)

    true = numbers(list({release.shows(row, release.columns) for row in release.rows if release.where(row)}))
    alike = [world for world in worlds if numbers(world) == true]
    for person, value in dict.fromkeys(map(release.pair, tuples)):
        found[person, value]["counted"] = _share([value in _values(release, world, person) for world in alike])


def _bags(release: Published, tuples: Sequence[Shown]) -> Iterator[list[Shown]]:
    """Every multiset of tuples that would have been published the same way."""
    distinct = release.distinct or [False] * len(release.views)
    wanted = release.published()
    most = [
        min(
            want[release.part(shown, view)]
            for view, want, once in zip(release.views, wanted, distinct, strict=True)
            if not once
        )
        for shown in tuples
    ]
    if prod(number + 1 for number in most) > 200_000:
        raise TooMany(prod(most))
    for times in product(*(range(number + 1) for number in most)):
        bag = [shown for shown, often in zip(tuples, times, strict=True) for _ in range(often)]
        for view, want, once in zip(release.views, wanted, distinct, strict=True):
            has = Counter(release.part(shown, view) for shown in bag)
            if (set(has) != set(want)) if once else (has != want):
                break
        else:
            yield bag
