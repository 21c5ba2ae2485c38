"""People and values of the worst groups by name, for somebody who asked to see them: as private as the table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from deniable.analyses.breach.plan import TwoViews
from deniable.analyses.verdict import NamedGroup
from deniable.effort import Effort
from deniable.sql import associations, build, one_person
from deniable.sql import linkage as queries
from deniable.words import cell

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.crowds import Crowds
    from deniable.analyses.join_groups import Group, Value
    from deniable.analyses.linkage import Linkage
    from deniable.bind.views import Bound

GROUPS = 4  # of each check
MEMBERS = 6  # of each side, by name
_LOOKED_AT = 12  # likeliest associations; several may be of one group


def of_breach(result: Breach, adversary: str, effort: Effort) -> tuple[NamedGroup, ...]:
    """The likeliest associations, each with the join group that it stands in."""
    wide = result.answers.wide()
    rows = result.bound.scope.fetch(associations.likeliest(wide.relation, wide.ids, adversary, _LOOKED_AT)).to_pylist()
    likeliest: dict[tuple[str, ...], float] = {}
    for row in rows:
        who = [row[name] for name in wide.ids]
        if None not in who:
            likeliest.setdefault(tuple(map(str, who)), row["value"])
    if isinstance(result.plan, TwoViews):
        return _with_others(result.bound, result.plan, likeliest)
    few = list(likeliest.items())[:GROUPS]
    return tuple(_alone(result, who, chance, effort) for who, chance in few)


def _with_others(bound: Bound, made: TwoViews, likeliest: Mapping[tuple[str, ...], float]) -> tuple[NamedGroup, ...]:
    """The join groups of some people, looked up for all of them at once; each as likely as the first of them."""
    from deniable.analyses.join_groups import groups_of, rows_of

    if not likeliest:
        return ()
    ids, joins = build.numbered("i", len(bound.release.id_columns)), build.numbered("j", len(made.join))
    rows = rows_of(bound, made)
    own_rows = bound.scope.store("own_rows", one_person.own_rows(rows, ids, *likeliest))
    groups = {tuple(group.join.values()): group for group in groups_of(bound, made, rows, own_rows)}
    homes: dict[tuple[str, ...], set[tuple[Value, ...]]] = {}
    for row in bound.scope.fetch(one_person.homes(own_rows, ids, joins)).to_pylist():
        homes.setdefault(tuple(row[i] for i in ids), set()).add(tuple(row[j] for j in joins))
    found: dict[tuple[Value, ...], NamedGroup] = {}
    for who, chance in likeliest.items():
        for key in (key for key in groups if key in homes.get(who, ())):
            found.setdefault(key, _named(groups[key], chance))
    return tuple(found.values())[:GROUPS]


def _named(group: Group, chance: float) -> NamedGroup:
    at = ", ".join(f"{name} = {cell(value)}" for name, value in group.join.items())
    people, values = (
        tuple(", ".join(map(cell, one)) for one in side[:MEMBERS]) for side in (group.people, group.values)
    )
    return NamedGroup("breach", at, people, values, group.part.m, group.part.n, chance)


def _alone(result: Breach, who: tuple[str, ...], chance: float, effort: Effort) -> NamedGroup:
    """Where there are no groups: a person, and the values that they may have."""
    from deniable.analyses.explain import of_plan

    values = tuple(map(cell, of_plan(result.bound, result.plan, who, effort).cover))
    return NamedGroup("breach", "", (" ".join(who),), values[:MEMBERS], 1, len(values), chance)


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
