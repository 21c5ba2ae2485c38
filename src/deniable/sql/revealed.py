"""The queries of a release in which one view holds the association itself.

rows as in `two_views`, but o* are the columns of that open view and q* those of the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.adversaries import FIELDS
from deniable.sql.build import of, select


def persons(rows: Relation, ids: Sequence[str], opens: Sequence[str]) -> exp.Select:
    """Everybody with their number of open tuples and of values."""
    of_open = select(*ids, *opens).distinct().from_(rows.as_("rows")).subquery("d")
    of_values = select(*ids, "p0").distinct().from_(rows.as_("rows")).subquery("d")
    tuples = select(*ids, "count(*) AS tuples").from_(of_open)
    values = select(*ids, "count(*) AS vals").from_(of_values)
    query = select(*of("a", *ids), "tuples", "vals").from_(tuples.group_by(*ids).subquery("a"))
    return query.join(values.group_by(*ids).subquery("b"), on=same(ids, "a", "b"))


def sides(
    rows: Relation, persons: Relation, ids: Sequence[str], joins: Sequence[str], opens: Sequence[str],
    others: Sequence[str],
) -> exp.Select:  # fmt: skip
    """Join groups, and whether giving everybody one tuple leaves a world there."""
    left = select(*joins, *ids, *opens).distinct().from_(rows.as_("rows")).subquery("d")
    left_counts = (
        select(*of("d", *joins), "count(*) AS m", "max(tuples) AS most")
        .from_(left)
        .join(persons.as_("persons"), on=same(ids, "d", "persons"))
        .group_by(*of("d", *joins))
    )
    right = select(*joins, *others).distinct().from_(rows.as_("rows")).subquery("d")
    right_counts = select(*joins, "count(*) AS n").from_(right).group_by(*joins)
    query = select(*of("a", *joins), "n <= m AND most = 1 AS once").from_(left_counts.subquery("a"))
    return query.join(right_counts.subquery("b"), on=same(joins, "a", "b"))


@frozen
class RevealedCounts:
    """What is read of an open view: the rows whose associations are asked for, and what was counted of all rows."""

    rows: Relation
    values: Relation
    persons: Relation
    sides: Relation


def answers(counted: RevealedCounts, ids: Sequence[str], joins: Sequence[str], tests: Mapping[str, str]) -> exp.Select:
    """One row per secret association: it is in every world, if the adversary has any, which its test says."""
    listed = (
        select(*of("rows", *ids), "v", *of("rows", *joins))
        .distinct()
        .from_(counted.rows.as_("rows"))
        .join(counted.values.as_("values_"), on=same(["p0"], "rows", "values_"))
        .where("rows.s")
        .subquery("d")
    )
    paired = (
        select(*of("d", *ids), "v", "max(tuples) AS tuples", "max(vals) AS vals", "bool_and(once) AS once")
        .from_(listed)
        .join(counted.persons.as_("persons"), on=same(ids, "d", "persons"))
        .join(counted.sides.as_("sides"), on=same(joins, "d", "sides"))
        .group_by(*of("d", *ids), "v")
        .subquery("e")
    )
    one = "CAST(1 AS DOUBLE)"
    columns = []
    for name, test in tests.items():
        columns += [f"CASE WHEN {test} THEN {one} END AS {name}_{field}" for field in FIELDS[:3]]
        columns.append(f"'exact' AS {name}_bound")
    return select(*ids, "v", "1 AS s", *columns).from_(paired)
