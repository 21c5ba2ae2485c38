"""The judge: lists every world by brute force. Shares no code with the closed forms.

A world of set views is a relation over the views' joined columns whose projections
are the views; where a view keeps duplicates, a world is a multiset of rows that is
published the same way. Small tables only: 2^(join tuples) relations are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import chain, combinations, product

Row = Mapping[str, Hashable]
Tuple = tuple[tuple[str, Hashable], ...]
World = frozenset[Tuple]


def project(rows: Sequence[Row], columns: Sequence[str]) -> list[Tuple]:
    """The rows on some columns, duplicates kept."""
    return [tuple((column, row[column]) for column in sorted(columns)) for row in rows]


def join(views: Sequence[set[Tuple]]) -> list[Tuple]:
    """The natural join of the views' tuples."""
    joined: list[dict[str, Hashable]] = [{}]
    for view in views:
        merged = []
        for left in joined:
            for right in view:
                if all(left.get(key, value) == value for key, value in right):
                    merged.append({**left, **dict(right)})
        joined = merged
    return sorted({tuple(sorted(row.items(), key=lambda kv: kv[0])) for row in joined}, key=repr)


def set_worlds(rows: Sequence[Row], views: Sequence[Sequence[str]]) -> Iterator[World]:
    """Every relation over the joined columns that has the same projections as `rows`."""
    wanted = [set(project(rows, view)) for view in views]
    tuples = join(wanted)
    if len(tuples) > 20:
        raise ValueError(f"{len(tuples)} join tuples are too many to enumerate")
    subsets = chain.from_iterable(combinations(tuples, size) for size in range(len(tuples) + 1))
    for subset in subsets:
        candidate = [dict(row) for row in subset]
        if all(set(project(candidate, view)) == need for view, need in zip(views, wanted, strict=True)):
            yield frozenset(subset)


def bag_worlds(
    rows: Sequence[Row], views: Sequence[Sequence[str]], distinct: Sequence[bool]
) -> Iterator[tuple[Tuple, ...]]:
    """Every multiset of rows over the joined columns that would have been published the same way: the same rows
    equally often where duplicates are kept, the same rows where they are not."""
    wanted = [Counter(project(rows, view)) for view in views]
    tuples = join([set(counts) for counts in wanted])
    parts = [project([dict(row) for row in tuples], view) for view in views]

    def grow(place: int, left: tuple[Counter[Tuple], ...], chosen: tuple[Tuple, ...]) -> Iterator[tuple[Tuple, ...]]:
        if place == len(tuples):
            open_ones = (counts for counts, once in zip(left, distinct, strict=True) if not once)
            if not any(number for counts in open_ones for number in counts.values()):
                yield chosen
            return
        mine = [part[place] for part in parts]
        most = min(counts[part] for counts, part, once in zip(left, mine, distinct, strict=True) if not once)
        for times in range(most + 1):
            less = tuple(counts - Counter({part: times}) for counts, part in zip(left, mine, strict=True))
            yield from grow(place + 1, less, chosen + (tuples[place],) * times)

    for world in grow(0, tuple(wanted), ()):
        published = [Counter(project([dict(row) for row in world], view)) for view in views]
        if all(set(one) == set(two) for one, two in zip(published, wanted, strict=True)):
            yield world


def values_of(world: Sequence[Tuple] | World, person: Row, private: str) -> set[Hashable]:
    """The private values that a world gives a person."""
    rows = [dict(row) for row in world]
    return {row[private] for row in rows if all(row[k] == v for k, v in person.items())}


def share(worlds: Sequence[World], holds: Callable[[World], bool]) -> Fraction | None:
    """The share of the worlds for which `holds` is true; None when there is no world."""
    return Fraction(sum(map(holds, worlds)), len(worlds)) if worlds else None


def unrestricted(worlds: Sequence[World], person: Row, private: str, value: Hashable) -> Fraction | None:
    """The share of all worlds that give the person the value."""
    return share(worlds, lambda world: value in values_of(world, person, private))


def restricted(worlds: Sequence[World], person: Row, private: str, value: Hashable) -> Fraction | None:
    """The same among the worlds that give the person exactly one value."""
    single = [w for w in worlds if len(values_of(w, person, private)) == 1]
    return share(single, lambda world: value in values_of(world, person, private))


def keyed(
    worlds: Sequence[World], identifier: Sequence[str], person: Row, private: str, value: Hashable
) -> Fraction | None:
    """The same among the worlds in which every person has exactly one tuple."""
    single = [w for w in worlds if _all_once(w, identifier)]
    return share(single, lambda world: value in values_of(world, person, private))


def _all_once(world: World, identifier: Sequence[str]) -> bool:
    people = Counter(tuple(dict(row)[column] for column in identifier) for row in world)
    return max(people.values(), default=0) <= 1


def counted(
    worlds: Sequence[World], rows: Sequence[Row], views: Sequence[Sequence[str]], identifier: Sequence[str],
    person: Row, private: str, value: Hashable,
) -> Fraction | None:  # fmt: skip
    """The same among the worlds in which everybody has as many tuples in each join group as in the table."""
    shared = set(views[0]) & set(views[1])
    joined = {column for view in views for column in view}
    true = _how_many({tuple(sorted((c, row[c]) for c in joined)) for row in rows}, identifier, shared)
    alike = [w for w in worlds if _how_many(w, identifier, shared) == true]
    return share(alike, lambda world: value in values_of(world, person, private))


def _how_many(world: Set[Tuple], identifier: Sequence[str], shared: Set[str]) -> Counter[tuple[Hashable, ...]]:
    kept = [*identifier, *sorted(shared)]
    return Counter(tuple(dict(row)[column] for column in kept) for row in world)


def judged(
    rows: Sequence[Row], views: Sequence[Sequence[str]], identifier: Sequence[str], private: str,
    distinct: Sequence[bool] = (),
) -> dict[tuple[Hashable, ...], dict[str, Fraction | None]]:  # fmt: skip
    """(identifier…, value) -> adversary -> probability in two views, for every pair that the join allows."""
    worlds = list(set_worlds(rows, views))
    once = distinct or [False] * len(views)
    bags = [] if all(once) else list(bag_worlds(rows, views, once))
    joined = [dict(t) for t in join([set(project(rows, view)) for view in views])]
    pairs = {tuple(t[c] for c in (*identifier, private)) for t in joined}
    answers = {}
    for pair in pairs:
        person, value = dict(zip(identifier, pair, strict=False)), pair[-1]
        answers[pair] = {
            "unrestricted": unrestricted(worlds, person, private, value),
            "restricted": restricted(worlds, person, private, value),
            "keyed": _keyed(rows, views, identifier, person, private, value),
            "counted": counted(worlds, rows, views, identifier, person, private, value),
        }
        if bags:
            answers[pair]["bag"] = in_bags(bags, person, private, value)
    return answers


def in_bags(worlds: Sequence[tuple[Tuple, ...]], person: Row, private: str, value: Hashable) -> Fraction:
    """The share of the worlds of counted rows that give the person the value."""
    holds = sum(value in values_of(world, person, private) for world in worlds)
    return Fraction(holds, len(worlds))


def _keyed(
    rows: Sequence[Row], views: Sequence[Sequence[str]], identifier: Sequence[str], person: Row, private: str,
    value: Hashable,
) -> Fraction | None:  # fmt: skip
    """Keyed worlds of the part of the table that is tied to the person: join groups are
    independent unless somebody stands in two of them."""
    join = sorted(set(views[0]) & set(views[1]))
    part = {tuple(r[c] for c in join) for r in rows if all(r[k] == v for k, v in person.items())}
    while True:
        people = {tuple(r[c] for c in identifier) for r in rows if tuple(r[c] for c in join) in part}
        grown = {tuple(r[c] for c in join) for r in rows if tuple(r[c] for c in identifier) in people}
        if grown == part:
            break
        part = grown
    inside = [r for r in rows if tuple(r[c] for c in join) in part]
    return keyed(list(set_worlds(inside, views)), identifier, person, private, value)


def covers(m: int, n: int, a: int, c: int) -> int:
    """Covers of K(m,n) without the edges between the first a and the first c nodes."""
    edges = [(i, j) for i in range(m) for j in range(n) if not (i < a and j < c)]
    total = 0
    for chosen in range(1 << len(edges)):
        kept = [edge for k, edge in enumerate(edges) if chosen >> k & 1]
        total += {i for i, _ in kept} == set(range(m)) and {j for _, j in kept} == set(range(n))
    return total


def models(variables: int, clauses: Sequence[Sequence[int]], without: Set[int]) -> int:
    """How many assignments make a variable of each clause true, and none of those `without`."""
    total = 0
    for world in product((False, True), repeat=variables):
        kept = {x for x, on in enumerate(world) if on}
        total += not kept & without and all(kept & set(members) for members in clauses)
    return total
