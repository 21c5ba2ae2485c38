"""People and values of the worst groups by name, for somebody who asked to see them: as private as the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from deniable.analyses.verdict import NamedGroup
from deniable.effort import Effort
from deniable.sql import associations
from deniable.sql import linkage as queries
from deniable.words import cell

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.crowds import Crowds
    from deniable.analyses.explain import Explanation
    from deniable.analyses.linkage import Linkage

GROUPS = 4  # of each check
MEMBERS = 6  # of each side, by name
_LOOKED_AT = 12  # likeliest associations; several may be of one group


def of_breach(result: Breach, adversary: str, effort: Effort) -> tuple[NamedGroup, ...]:
    """The likeliest associations, each with the join group that it stands in."""
    from deniable.analyses.explain import explain

    wide = result.answers.wide()
    rows = result.bound.scope.fetch(associations.likeliest(wide.relation, wide.ids, adversary, _LOOKED_AT)).to_pylist()
    found: dict[object, NamedGroup] = {}
    for row in rows:
        who = [row[name] for name in wide.ids]
        if len(found) < GROUPS and None not in who:
            shown = explain(result.release, list(map(str, who)), result.bound.scope, effort)
            for key, group in _explained(shown, row["value"]):
                found.setdefault(key, group)
    return tuple(found.values())[:GROUPS]


def _explained(shown: Explanation, chance: float) -> Iterator[tuple[object, NamedGroup]]:
    for group in shown.groups:
        at = ", ".join(f"{name} = {cell(value)}" for name, value in group.join.items())
        people, values = (
            tuple(", ".join(map(cell, one)) for one in side[:MEMBERS]) for side in (group.people, group.values)
        )
        yield at, NamedGroup("breach", at, people, values, group.part.m, group.part.n, chance)
    if not shown.groups:
        values = tuple(map(cell, shown.cover))
        yield shown.who, NamedGroup("breach", "", (" ".join(shown.who),), values[:MEMBERS], 1, len(values), chance)


def of_crowds(result: Crowds) -> tuple[NamedGroup, ...]:
    """The smallest crowds, by the public columns of their members."""
    table = result.partition.classes.scope.fetch(result.partition.answer(ordered=True).limit(GROUPS * 8 * MEMBERS))
    *public, crowd, size, values, _ = (table.column(i).to_pylist() for i in range(table.num_columns))
    rows = list(zip(crowd, size, values, *public, strict=True))
    found = []
    for number, members in groupby(rows, key=lambda row: row[0]):
        several = list(members)
        names = tuple(
            ", ".join(cell(None if one is None else str(one)) for one in row[3:]) for row in several[:MEMBERS]
        )
        found.append(NamedGroup("crowd", f"crowd {number}", names, (), several[0][1], several[0][2]))
    return tuple(found[:GROUPS])


def of_linkage(result: Linkage) -> tuple[NamedGroup, ...]:
    """The published groups with the largest posteriors, their people by their rows in the people's file."""
    found = []
    for group in result.worst_groups(GROUPS):
        named = result.scope.fetch(queries.values_in(result.published.values, group.group)).to_pylist()
        rows = result.scope.fetch(queries.people_in(result.grouped.people, group.group, MEMBERS)).to_pylist()
        people = tuple(f"row {row['person']}" for row in rows)
        values = tuple(cell(row["x"]) for row in named)
        at = f"group {cell(group.group)}"
        found.append(
            NamedGroup("linkage", at, people, values[:MEMBERS], group.people, len(values), group.posterior)
        )  # fmt: skip
    return tuple(found)
