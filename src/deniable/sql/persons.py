"""The queries of `explain`: one person, their join groups, and who stands there."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import select


def own_rows(ids: Sequence[str], who: Sequence[str], source: str) -> exp.Select:
    """The person's rows; identifiers are compared as text."""
    tests = [
        exp.EQ(this=exp.cast(exp.column(i), "VARCHAR"), expression=exp.Literal.string(text))
        for i, text in zip(ids, who, strict=True)
    ]
    return select("*").from_(source).where(*tests)


def members_like(ids: Sequence[str]) -> exp.Select:
    """The kind of the person, alone: its ID-side tuples, and the kind as number 0."""
    mine = select(*ids).distinct().from_("own_rows").subquery("o")
    kinds = select("people.kind").distinct().from_("people").join(mine, on=same(ids, "people", "o")).subquery("k")
    query = select("CAST(0 AS BIGINT) AS kind", "members.a", "members.times").from_("members")
    return query.join(kinds, on="members.kind = k.kind")


def value_names() -> exp.Select:
    """The private values as text, by number."""
    return select("v", "CAST(p0 AS VARCHAR) AS value").from_("values_")


def own_groups(joins: Sequence[str]) -> exp.Select:
    """The person's join groups."""
    return select(*joins).distinct().from_("own_rows").order_by(*joins)


def own_values() -> exp.Select:
    """The values that the person really has."""
    return select("CAST(p0 AS VARCHAR) AS value").distinct().from_("own_rows").order_by("value")


def in_groups(joins: Sequence[str]) -> exp.Select:
    """All rows of the person's join groups, with the group's number d."""
    numbered = select(*joins, f"row_number() OVER (ORDER BY {', '.join(joins)}) - 1 AS d").from_("own_groups")
    query = select("rows.*", "k.d").from_("rows")
    return query.join(numbered.subquery("k"), on=same(joins, "rows", "k"))


def id_side(ids: Sequence[str], owns: Sequence[str]) -> exp.Select:
    """ID-side tuples of each group, and whether they are the person's own."""
    mine = select(*ids, "true AS own").distinct().from_("own_rows").subquery("o")
    distinct = select("d", *ids, *owns).distinct().from_("in_groups").subquery("t")
    shown = [f"CAST(t.{c} AS VARCHAR) AS {c}" for c in (*ids, *owns)]
    query = select("t.d", *shown, "coalesce(o.own, false) AS own").from_(distinct)
    return query.join(mine, on=same(ids, "t", "o"), join_type="left")


def id_counts() -> exp.Select:
    """How many there are in each group, and how many are the person's."""
    return select("d", "count(*) AS m", "count(*) FILTER (WHERE own) AS a").from_("id_side").group_by("d")


def value_side(others: Sequence[str]) -> exp.Select:
    """P-side tuples of each group, with their rows."""
    shown = [f"CAST({c} AS VARCHAR) AS {c}" for c in others]
    query = select("d", *shown, "CAST(p0 AS VARCHAR) AS p0", "count(*) AS r").from_("in_groups")
    return query.group_by("d", *others, "p0")


def value_counts() -> exp.Select:
    """Tuples and rows of each value in each group."""
    sums = ("count(*) AS c", "CAST(sum(r) AS BIGINT) AS r")
    return select("d", "p0", *sums).from_("value_side").group_by("d", "p0").order_by("d", "p0")


def first_of(side: str, order: Sequence[str], most: int) -> exp.Select:
    """The first few tuples of one side of each group."""
    number = f"row_number() OVER (PARTITION BY d ORDER BY {', '.join(order)}) AS place"
    ranked = select("*", number).from_(side).subquery("q")
    return select("*").from_(ranked).where(f"place <= {most}").order_by("d", "place")


def with_several(ids: Sequence[str], tuple_columns: Sequence[str]) -> exp.Select:
    """Groups (of the person's) in which somebody has several ID-side tuples anywhere."""
    distinct = select(*ids, *tuple_columns).distinct().from_("rows").subquery("t")
    many = select(*ids).from_(distinct).group_by(*ids).having("count(*) > 1").subquery("m")
    here = select(*ids, "d").distinct().from_("in_groups").subquery("h")
    return select("d").distinct().from_(here).join(many, on=same(ids, "h", "m"))


def people_like(ids: Sequence[str]) -> exp.Select:
    """Some identifiers, as text."""
    return select(*(f"CAST({i} AS VARCHAR) AS {i}" for i in ids)).distinct().from_("rows").limit(1000)
