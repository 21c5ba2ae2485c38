"""The queries of a release in which one view holds the association itself.

rows as in `pairs`, but o* are the columns of that open view and q* those of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import of, select


def persons(ids: Sequence[str], opens: Sequence[str]) -> exp.Select:
    """Everybody with their number of open tuples and of values."""
    tuples = select(*ids, "count(*) AS tuples").from_(select(*ids, *opens).distinct().from_("rows").subquery("d"))
    values = select(*ids, "count(*) AS vals").from_(select(*ids, "p0").distinct().from_("rows").subquery("d"))
    query = select(*of("a", *ids), "tuples", "vals").from_(tuples.group_by(*ids).subquery("a"))
    return query.join(values.group_by(*ids).subquery("b"), on=same(ids, "a", "b"))


def sides(ids: Sequence[str], joins: Sequence[str], opens: Sequence[str], others: Sequence[str]) -> exp.Select:
    """Join groups, and whether giving everybody one tuple leaves a world there."""
    left = select(*joins, *ids, *opens).distinct().from_("rows").subquery("d")
    left_counts = (
        select(*of("d", *joins), "count(*) AS m", "max(tuples) AS most")
        .from_(left)
        .join("persons", on=same(ids, "d", "persons"))
        .group_by(*of("d", *joins))
    )
    right = select(*joins, *others).distinct().from_("rows").subquery("d")
    right_counts = select(*joins, "count(*) AS n").from_(right).group_by(*joins)
    query = select(*of("a", *joins), "n <= m AND most = 1 AS once").from_(left_counts.subquery("a"))
    return query.join(right_counts.subquery("b"), on=same(joins, "a", "b"))


def answers(ids: Sequence[str], joins: Sequence[str], bags: bool) -> exp.Select:
    """One row per secret association: it is in every world, if the adversary has any."""
    listed = (
        select(*of("rows", *ids), "v", *of("rows", *joins))
        .distinct()
        .from_("rows")
        .join("values_", on=same(["p0"], "rows", "values_"))
        .where("rows.s")
        .subquery("d")
    )
    paired = (
        select(*of("d", *ids), "v", "max(tuples) AS tuples", "max(vals) AS vals", "bool_and(once) AS once")
        .from_(listed)
        .join("persons", on=same(ids, "d", "persons"))
        .join("sides", on=same(joins, "d", "sides"))
        .group_by(*of("d", *ids), "v")
        .subquery("e")
    )
    one = "CAST(1 AS DOUBLE)"
    tests = {
        "unrestricted": "true",
        "restricted": "vals = 1",
        "keyed": "tuples = 1 AND once",
        "bag": str(bags).lower(),
    }
    columns = []
    for name, test in tests.items():
        columns += [f"CASE WHEN {test} THEN {one} END AS {name}_{field}" for field in ("value", "lower", "upper")]
        bound = f"CASE WHEN {test} THEN 'exact' END" if name == "bag" else "'exact'"
        columns.append(f"{bound} AS {name}_bound")
    return select(*ids, "v", "1 AS s", *columns).from_(paired)
