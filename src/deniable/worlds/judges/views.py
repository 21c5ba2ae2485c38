"""The judge: lists every world by brute force. Shares no code with the closed forms.

A world of set views is a relation over the views' joined columns whose projections
are the views; a world of bag views is a multiset of rows with the same multisets as
projections. Small tables only: 2^(join tuples) relations are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations

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


def bag_worlds(rows: Sequence[Row], views: Sequence[Sequence[str]]) -> set[tuple[Tuple, ...]]:
    """Every multiset of rows over two views' columns with the same multisets as projections."""
    left, right = (project(rows, view) for view in views)
    worlds = set()
    for shuffled in set(permutations(right)):
        merged = []
        for one, two in zip(left, shuffled, strict=True):
            known = dict(one)
            if any(known.get(key, value) != value for key, value in two):
                break
            merged.append(tuple(sorted({**known, **dict(two)}.items())))
        else:
            worlds.add(tuple(sorted(merged, key=repr)))
    return worlds


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
