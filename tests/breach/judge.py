"""What the judge says of a table and two views: every adversary, by listing worlds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

from deniable.worlds.judges import views as judge

Row = dict[str, Hashable]


def judged(
    rows: Sequence[Row], views: Sequence[Sequence[str]], identifier: Sequence[str], private: str
) -> dict[tuple[Hashable, ...], dict[str, Fraction | None]]:
    """(identifier…, value) -> adversary -> probability, for every pair that the join allows."""
    worlds = list(judge.set_worlds(rows, views))
    joined = [dict(t) for t in judge.join([set(judge.project(rows, view)) for view in views])]
    pairs = {tuple(t[c] for c in (*identifier, private)) for t in joined}
    answers = {}
    for pair in pairs:
        person, value = dict(zip(identifier, pair, strict=False)), pair[-1]
        answers[pair] = {
            "unrestricted": judge.unrestricted(worlds, person, private, value),
            "restricted": judge.restricted(worlds, person, private, value),
            "keyed": keyed(rows, views, identifier, person, private, value),
            "bag": bag(rows, views, identifier, person, private, value),
        }
    return answers


def keyed(
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
    return judge.keyed(list(judge.set_worlds(inside, views)), identifier, person, private, value)


def bag(
    rows: Sequence[Row], views: Sequence[Sequence[str]], identifier: Sequence[str], person: Row, private: str,
    value: Hashable,
) -> Fraction | None:  # fmt: skip
    """Bag worlds, where the ID-side rows of the person's groups that matter are unique."""
    for view in views:
        if set(identifier) <= set(view) and private in view:
            return Fraction(1)
    side = next(view for view in views if set(identifier) <= set(view))
    join = sorted(set(views[0]) & set(views[1]))
    mine = {tuple(r[c] for c in join) for r in rows if all(r[k] == v for k, v in person.items())}
    for group in mine:
        inside = [r for r in rows if tuple(r[c] for c in join) == group]
        projected = judge.project(inside, side)
        if any(r[private] == value for r in inside) and len(set(projected)) < len(projected):
            return None
    whole = [r for r in rows if tuple(r[c] for c in join) in mine]
    worlds = judge.bag_worlds(whole, views)
    holds = sum(value in judge.values_of(world, person, private) for world in worlds)
    return Fraction(holds, len(worlds))
