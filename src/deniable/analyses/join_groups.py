"""Join groups of two views with who and what stands in them, for one person or several.

Computed: whole groups, each as its counts, which is what the mathematics sees, and the first few of both sides by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from deniable.analyses.breach.plan import TwoViews
from deniable.bind.views import Bound
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql import build, one_person
from deniable.sql.adversaries import Kept
from deniable.sql.two_views import ColumnNames
from deniable.worlds.views.products import Membership, Rows

FEW_LABELS = 10

Value = str | None
Cells = tuple[Value, ...]  # of one view tuple


@frozen
class Group:
    """One join group of the person: how much, and who and what, stands on its sides."""

    join: dict[str, Value]
    part: Membership  # the counts, which is all that the mathematics sees
    people: tuple[Cells, ...]  # the first few, the person's own first
    values: tuple[Cells, ...]

    @property
    def keyed(self) -> bool:
        """Whether everybody here can have one tuple."""
        return self.part.one_each and self.part.n <= self.part.m

    @property
    def edges(self) -> int:
        """How many join tuples the group has."""
        return self.part.m * self.part.n


def rows_of(bound: Bound, made: TwoViews) -> Relation:
    """The rows of both views, in the roles that their columns have."""
    release = bound.release
    roles = {"i": release.id_columns, "j": made.join, "y": made.own, "x": made.other, "p": (release.private,)}
    return bound.scope.view("rows", build.narrowed(bound.source, roles, made.condition, None, bound.text_columns))


def groups_of(bound: Bound, made: TwoViews, rows: Relation, own_rows: Relation) -> tuple[Group, ...]:
    """The join groups that the people of some rows stand in."""
    scope = bound.scope
    # Without further columns the sides still have one, the constant 0.
    names = ColumnNames.counted(
        len(bound.release.id_columns), len(made.join), max(1, len(made.own)), max(1, len(made.other))
    )
    tuple_columns = [*names.joins, *names.owns]
    own_groups = scope.store("own_groups", one_person.own_groups(own_rows, names.joins))
    inside = scope.store("in_groups", one_person.in_groups(rows, own_groups, names.joins))
    id_side = scope.store("id_side", one_person.id_side(own_rows, inside, names.ids, names.owns))
    value_side = scope.store("value_side", one_person.value_side(inside, names.others))
    keys = scope.fetch(one_person.group_keys(inside, names.joins)).to_pylist()
    left = scope.fetch(one_person.id_counts(id_side)).to_pylist()
    has = scope.fetch(one_person.joined(inside, own_rows, names.ids, names.owns, names.others)).to_pylist()
    right = scope.fetch(one_person.value_counts(value_side)).to_pylist()
    first = one_person.first_people(id_side, [*names.ids, *names.owns], FEW_LABELS)
    people = scope.fetch(first).to_pylist()
    values = scope.fetch(one_person.first_values(value_side, names.others, FEW_LABELS)).to_pylist()
    several = one_person.with_several(rows, inside, names.ids, tuple_columns)
    several_in = set(scope.fetch(several).column("d").to_pylist())
    found = []
    for key in keys:
        d = key["d"]
        sides = ([row for row in side if row["d"] == d] for side in (left, has, right))
        part = _part(*sides, kept=made.kept, one_each=d not in several_in)
        found.append(
            Group(
                {name: key[f"j{i}"] for i, name in enumerate(made.join)},
                part,
                _cells(people, d, [*names.ids, *names.owns[: len(made.own)]]),
                _cells(values, d, [*names.others[: len(made.other)], "p0"]),
            )
        )
    return tuple(found)


def _part(
    left: list[dict[str, Any]], has: list[dict[str, Any]], right: list[dict[str, Any]], *, kept: Kept, one_each: bool
) -> Membership:
    """One group, as it was counted: ID-side tuples by their rows, people by their tuples, P-side tuples by value."""
    own = tuple(row["w"] for row in left if row["own"] for _ in range(row["many"]))
    sizes: dict[Value, tuple[int, ...]] = {}
    for row in right:
        sizes[row["p0"]] = (*sizes.get(row["p0"], ()), *[row["r"]] * row["many"])
    mine = next(row for row in has if row["own"])
    ids: Counter[int] = Counter()
    for row in left:
        ids[row["w"]] += row["many"]
    people = Counter({(row["a"], row["t"]): 0 for row in has})
    for row in has:
        people[row["a"], row["t"]] += row["many"]
    return Membership(
        sum(row["many"] for row in left),
        len(own),
        {value: len(found) for value, found in sizes.items()},
        one_each=one_each,
        joined=mine["t"],
        people=tuple(sorted(people.items())),
        rows=None if kept.told is None else Rows.told(ids, own, sizes, kept.told),
    )


def _cells(rows: Sequence[dict[str, Any]], d: int, columns: Sequence[str]) -> tuple[Cells, ...]:
    return tuple(tuple(row[c] for c in columns) for row in rows if row["d"] == d)
