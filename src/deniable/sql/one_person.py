"""The queries of `explain`: one person, their join groups, and who stands there."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import as_text, same
from deniable.engines.scope import Relation
from deniable.sql.build import select


def _shown(column: str, table: str | None = None, alias: str = "") -> exp.Expr:
    """A column as text, under its own name."""
    return exp.alias_(as_text(exp.column(column, table)), alias or column)


def own_rows(rows: Relation, ids: Sequence[str], *people: Sequence[str]) -> exp.Select:
    """The rows of these people, one of them mostly; identifiers are compared as text."""
    return select("*").from_(rows.as_("rows")).where(exp.or_(*(_is(ids, who) for who in people)))


def _is(ids: Sequence[str], who: Sequence[str]) -> exp.Condition:
    """Whether a row is this person's."""
    tests = [
        exp.EQ(this=as_text(exp.column(i)), expression=exp.Literal.string(text))
        for i, text in zip(ids, who, strict=True)
    ]
    return exp.and_(*tests)


def homes(own_rows: Relation, ids: Sequence[str], joins: Sequence[str]) -> exp.Select:
    """In which join groups each of the people stands, as text."""
    return select(*(_shown(c) for c in (*ids, *joins))).distinct().from_(own_rows.as_("own_rows"))


def with_value(rows: Relation, private: str) -> exp.Select:
    """Rows whose private value has another name, with the value as p0."""
    return select("*", f"{private} AS p0").from_(rows.as_("rows"))


def own_kind(own_rows: Relation, people: Relation, ids: Sequence[str]) -> exp.Select:
    """The kind of the person."""
    mine = select(*ids).distinct().from_(own_rows.as_("own_rows")).subquery("o")
    return select("people.kind").distinct().from_(people.as_("people")).join(mine, on=same(ids, "people", "o"))


def members_like(own_rows: Relation, people: Relation, members: Relation, ids: Sequence[str]) -> exp.Select:
    """The kind of the person, alone: its ID-side tuples, and the kind as number 0."""
    kinds = own_kind(own_rows, people, ids)
    query = select("CAST(0 AS BIGINT) AS kind", "members.a", "members.times").from_(members.as_("members"))
    return query.join(kinds.subquery("k"), on="members.kind = k.kind")


def value_names(values: Relation) -> exp.Select:
    """The private values as text, by number."""
    return select("v", _shown("p0", alias="value")).from_(values.as_("values_"))


def own_groups(own_rows: Relation, joins: Sequence[str]) -> exp.Select:
    """The person's join groups."""
    return select(*joins).distinct().from_(own_rows.as_("own_rows")).order_by(*joins)


def own_values(own_rows: Relation) -> exp.Select:
    """The values that the person really has."""
    return select(_shown("p0", alias="value")).distinct().from_(own_rows.as_("own_rows")).order_by("value")


def in_groups(rows: Relation, own_groups: Relation, joins: Sequence[str]) -> exp.Select:
    """All rows of the person's join groups, with the group's number d."""
    number = f"row_number() OVER (ORDER BY {', '.join(joins)}) - 1 AS d"
    numbered = select(*joins, number).from_(own_groups.as_("own_groups"))
    query = select("rows.*", "k.d").from_(rows.as_("rows"))
    return query.join(numbered.subquery("k"), on=same(joins, "rows", "k"))


def group_keys(in_groups: Relation, joins: Sequence[str]) -> exp.Select:
    """What the rows of each group have in common, as text."""
    shown = (_shown(j) for j in joins)
    return select(*shown, "d").distinct().from_(in_groups.as_("in_groups")).order_by("d")


def id_side(own_rows: Relation, in_groups: Relation, ids: Sequence[str], owns: Sequence[str]) -> exp.Select:
    """ID-side tuples of each group, with their rows, and whether they are the person's own."""
    mine = select(*ids, "true AS own").distinct().from_(own_rows.as_("own_rows")).subquery("o")
    each = select("d", *ids, *owns, "count(*) AS w").from_(in_groups.as_("in_groups")).group_by("d", *ids, *owns)
    shown = [_shown(c, "t") for c in (*ids, *owns)]
    query = select("t.d", *shown, "t.w", "coalesce(o.own, false) AS own").from_(each.subquery("t"))
    return query.join(mine, on=same(ids, "t", "o"), join_type="left")


def id_counts(id_side: Relation) -> exp.Select:
    """How many there are in each group with so many rows, the person's and others."""
    return select("d", "w", "own", "count(*) AS many").from_(id_side.as_("id_side")).group_by("d", "w", "own")


def joined(
    in_groups: Relation, own_rows: Relation, ids: Sequence[str], owns: Sequence[str], others: Sequence[str]
) -> exp.Select:
    """How many people of each group have a ID-side and t joined tuples there, the person and others."""
    mine = select(*ids, "true AS own").distinct().from_(own_rows.as_("own_rows")).subquery("o")
    each = select("d", *ids, *owns, *others, "p0").distinct().from_(in_groups.as_("in_groups")).subquery("e")
    tuples = select("d", *ids, *owns, "count(*) AS t").from_(each).group_by("d", *ids, *owns).subquery("f")
    people = select("d", *ids, "count(*) AS a", "CAST(sum(t) AS BIGINT) AS t").from_(tuples).group_by("d", *ids)
    named = select("p.d", "p.a", "p.t", "coalesce(o.own, false) AS own").from_(people.subquery("p"))
    named = named.join(mine, on=same(ids, "p", "o"), join_type="left")
    return select("d", "a", "t", "own", "count(*) AS many").from_(named.subquery("q")).group_by("d", "a", "t", "own")


def value_side(in_groups: Relation, others: Sequence[str]) -> exp.Select:
    """P-side tuples of each group, with their rows."""
    shown = [_shown(c) for c in others]
    query = select("d", *shown, _shown("p0"), "count(*) AS r").from_(in_groups.as_("in_groups"))
    return query.group_by("d", *others, "p0")


def value_counts(value_side: Relation) -> exp.Select:
    """How many tuples of each value in each group are there so often."""
    query = select("d", "p0", "r", "count(*) AS many").from_(value_side.as_("value_side"))
    return query.group_by("d", "p0", "r").order_by("d", "p0", "r")


def first_people(id_side: Relation, columns: Sequence[str], most: int) -> exp.Select:
    """The first few tuples of the ID side of each group, the person's own before all others."""
    return _first(id_side, ["own DESC", *columns], most)


def first_values(value_side: Relation, others: Sequence[str], most: int) -> exp.Select:
    """The first few tuples of the P side of each group."""
    return _first(value_side, ["p0", *others], most)


def _first(side: Relation, order: Sequence[str], most: int) -> exp.Select:
    number = f"row_number() OVER (PARTITION BY d ORDER BY {', '.join(order)}) AS place"
    ranked = select("*", number).from_(side.as_("side")).subquery("q")
    return select("*").from_(ranked).where(f"place <= {most}").order_by("d", "place")


def with_several(rows: Relation, in_groups: Relation, ids: Sequence[str], tuple_columns: Sequence[str]) -> exp.Select:
    """Groups (of the person's) in which somebody has several ID-side tuples anywhere."""
    distinct = select(*ids, *tuple_columns).distinct().from_(rows.as_("rows")).subquery("t")
    several = select(*ids).from_(distinct).group_by(*ids).having("count(*) > 1").subquery("m")
    here = select(*ids, "d").distinct().from_(in_groups.as_("in_groups")).subquery("h")
    return select("d").distinct().from_(here).join(several, on=same(ids, "h", "m"))


def people_like(rows: Relation, ids: Sequence[str]) -> exp.Select:
    """Some identifiers, as text."""
    return select(*(_shown(i) for i in ids)).distinct().from_(rows.as_("rows")).limit(1000)
