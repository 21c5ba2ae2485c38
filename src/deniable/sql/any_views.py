"""The queries of a breach with any number of views.

rows     i* the identifier, z* every published column, s secret or not
values_  private value -> v
side{k}  the tuples of view k, less the columns that nobody else sees: u{k}, and how many
         view tuples share it (mu{k}); those are interchangeable
bundles  the join of the sides: u0 … uK, v, and n, how many join tuples each stands for
members  which ID-side tuples a kind of person has, and how often: kind, a, times
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import TEXT, same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.build import of, ordinal, select


@frozen
class Possible:
    """The combinations of some columns that can stand in one row."""

    relation: Relation
    columns: tuple[str, ...]


@frozen
class Joined:
    """How the sides are joined: by which columns, in which order, and which of them is the private one; and which
    combinations of columns there can be, where views that agree may yet be of no row."""

    kept: Sequence[Sequence[str]]
    order: Sequence[int]
    private: str
    possible: Sequence[Possible] = ()


def side(rows: Relation, k: int, columns: Sequence[str], kept: Sequence[str]) -> exp.Select:
    """View k by the columns that matter to others."""
    distinct = select(*columns).distinct().from_(rows.as_("rows")).subquery("d")
    if not kept:
        return select(f"CAST(0 AS INT) AS u{k}", f"count(*) AS mu{k}").from_(distinct)
    return select(*kept, ordinal(f"u{k}", *kept), f"count(*) AS mu{k}").from_(distinct).group_by(*kept)


def bundles(sides: Sequence[Relation], values: Relation, joined: Joined) -> exp.Select:
    """The join of the sides, view by view in an order that keeps neighbours together."""
    kept, order = joined.kept, joined.order
    first = order[0]
    query = select().from_(sides[first].as_(f"side{first}"))
    seen: dict[str, int] = dict.fromkeys(kept[first], first)
    for k in order[1:]:
        pairs = [(column, seen[column]) for column in kept[k] if column in seen]
        on: exp.Expr | str = "true"
        if pairs:
            on = exp.and_(*(_equal(column, f"side{j}", f"side{k}") for column, j in pairs))
        query = query.join(sides[k].as_(f"side{k}"), on=on)
        for column in kept[k]:
            seen.setdefault(column, k)
    for i, one in enumerate(joined.possible):
        pairs = [(column, seen[column]) for column in one.columns]
        on = exp.and_(*(_equal(column, f"side{k}", f"possible{i}") for column, k in pairs))
        query = query.join(one.relation.as_(f"possible{i}"), on=on)
    query = query.join(values.as_("values_"), on=_equal(joined.private, f"side{seen[joined.private]}", "values_", "p0"))
    counts = " * ".join(f"CAST(side{k}.mu{k} AS DOUBLE)" for k in sorted(order))
    columns = [f"side{k}.{name}{k}" for k in sorted(order) for name in ("u", "mu")]
    return query.select(*columns, "values_.v", f"{counts} AS n")


def both(conditions: Sequence[exp.Expr]) -> exp.Expr | None:
    """All of some conditions; None if there is none."""
    return exp.and_(*(condition.copy() for condition in conditions)) if conditions else None


def _equal(column: str, left: str, right: str, other: str = "") -> exp.Expr:
    return exp.NullSafeEQ(this=exp.column(column, left), expression=exp.column(other or column, right))


def at_most(query: exp.Select, limit: int) -> exp.Select:
    """How many rows a query has, counting no further than limit + 1."""
    some = query.copy().select("1 AS one", append=False).limit(limit + 1).subquery("q")
    return select("count(*) AS k").from_(some)


def clause_sizes(bundles: Relation, k: int) -> exp.Select:
    """How many join tuples stand behind each tuple of view k."""
    sums = (f"sum(n) / min(mu{k}) AS w", f"min(mu{k}) AS mu")
    return select(f"u{k} AS u", *sums).from_(bundles.as_("bundles")).group_by(f"u{k}")


def bare_bundles(bundles: Relation, views: int) -> exp.Select:
    """The bundles in order, without the number of their join tuples, which the other columns give."""
    columns = [f"{name}{k}" for k in range(views) for name in ("u", "mu")]
    query = select(*columns, "v").from_(bundles.as_("bundles"))
    return query.order_by(*(f"u{k}" for k in range(views)))


def reach(bundles: Relation, home: int) -> exp.Select:
    """How many join tuples each kind of ID-side tuple has with each value."""
    query = select(f"u{home} AS a", "v", f"sum(n) / min(mu{home}) AS c").from_(bundles.as_("bundles"))
    return query.group_by(f"u{home}", "v")


def touched(bundles: Relation, clauses: Mapping[int, Relation], home: int) -> exp.Query:
    """Per kind of ID-side tuple and view tuple that it reaches: t tuples in common, w in all."""
    parts = []
    for k, sizes in clauses.items():
        shared = select(f"u{home} AS a", f"u{k} AS u", f"sum(n) / min(mu{home}) / min(mu{k}) AS t", f"min(mu{k}) AS mu")
        shared = shared.from_(bundles.as_("bundles")).group_by(f"u{home}", f"u{k}")
        query = select("q.a", f"{k} AS k", "q.u", "q.t", "q.mu", "w.w").from_(shared.subquery("q"))
        parts.append(query.join(sizes.as_("w"), on="q.u = w.u"))
    total: exp.Query = parts[0]
    for part in parts[1:]:
        total = total.union(part, distinct=False)
    return total


# People, by the ID-side tuples that they have.


def person_types(
    rows: Relation, side: Relation, ids: Sequence[str], columns: Sequence[str], kept: Sequence[str], home: int
) -> exp.Select:
    """Everybody's ID-side tuples, each as the kind that it is: i*, a."""
    distinct = select(*ids, *columns).distinct().from_(rows.as_("rows")).subquery("d")
    query = select(*of("d", *ids), f"side{home}.u{home} AS a").from_(distinct)
    return query.join(side.as_(f"side{home}"), on=same(kept, "d", f"side{home}") if kept else "true")


def types(person_types: Relation) -> exp.Select:
    """The kinds of ID-side tuples that people have."""
    return select("a").distinct().from_(person_types.as_("person_types"))


def people_settled(person_types: Relation, ids: Sequence[str]) -> exp.Select:
    """Everybody with their kind, when each has one ID-side tuple."""
    return select(*ids, "a AS kind").from_(person_types.as_("person_types"))


def people_types(person_types: Relation, ids: Sequence[str]) -> exp.Select:
    """Everybody with all their ID-side tuples as text, when somebody has several."""
    text = f"string_agg(CAST(a AS {TEXT.sql}), ' ' ORDER BY a) AS types"
    return select(*ids, text).from_(person_types.as_("person_types")).group_by(*ids)


def kinds(people_types: Relation) -> exp.Select:
    """Each such text once, with a number."""
    distinct = select("types").distinct().from_(people_types.as_("people_types")).subquery("d")
    return select("types", ordinal("kind", "types")).from_(distinct)


def people_of_kinds(people_types: Relation, kinds: Relation, ids: Sequence[str]) -> exp.Select:
    """Everybody with the number of their kind."""
    query = select(*of("people_types", *ids), "kinds.kind").from_(people_types.as_("people_types"))
    return query.join(kinds.as_("kinds"), on="people_types.types = kinds.types")


# What counts say of each kind of person.


def members_total(reach: Relation, members: Relation) -> exp.Select:
    """Per kind: all join tuples of such a person, and whether it has one ID-side tuple."""
    query = select("members.kind", "sum(times * r.w) AS total", "sum(times) = 1 AS alone")
    query = query.from_(members.as_("members"))
    return query.join(_totals(reach), on="members.a = r.a").group_by("members.kind")


def kind_touched(touched: Relation, members: Relation, members_total: Relation) -> exp.Select:
    """Per kind: the sum over view tuples of 2^-(w - t), t being the person's tuples in it.

    A view tuple that holds all of the person's join tuples and no other says nothing new
    when the person has one ID-side tuple, which says the same. What is smaller than 2^-52 counts as that: sums below 1
    are then exact, in whatever order they are made.
    """
    joined = select("members.kind", "k", "u", "sum(times * t) AS t", "min(w) AS w", "min(mu) AS mu")
    joined = joined.from_(touched.as_("touched")).join(members.as_("members"), on="touched.a = members.a")
    joined = joined.group_by("members.kind", "k", "u")
    alone = "members_total.alone AND d.t = d.w AND d.t = members_total.total"
    power = "pow(CAST(2 AS DOUBLE), -least(d.w - d.t, 52))"
    query = select("d.kind", f"sum(CASE WHEN {alone} THEN 0 ELSE d.mu * {power} END) AS sigma")
    query = query.from_(joined.subquery("d"))
    return query.join(members_total.as_("members_total"), on="d.kind = members_total.kind").group_by("d.kind")


def kind_reach(reach: Relation, members: Relation) -> exp.Select:
    """Per kind, ID-side tuple and value: how many join tuples, of how many in all."""
    query = select("members.kind", "members.a", "members.times", "reach.v", "reach.c", "r.w")
    query = query.from_(members.as_("members")).join(reach.as_("reach"), on="members.a = reach.a")
    query = query.join(_totals(reach), on="members.a = r.a")
    return query.order_by("members.kind", "reach.v", "members.a")


def _totals(reach: Relation) -> exp.Subquery:
    return select("a", "sum(c) AS w").from_(reach.as_("reach")).group_by("a").subquery("r")


# From kinds of people to associations.


def secrets(rows: Relation, values: Relation, ids: Sequence[str], private: str) -> exp.Select:
    """The secret associations: i*, v."""
    query = select(*of("rows", *ids), "values_.v").distinct().from_(rows.as_("rows"))
    return query.join(values.as_("values_"), on=_equal(private, "rows", "values_", "p0")).where("rows.s")


def answers(secrets: Relation, people: Relation, kind_answers: Relation, ids: Sequence[str]) -> exp.Select:
    """The answers with how many secret associations, and how many people, each stands for."""
    counted = select("people.kind", "secrets.v", "count(*) AS s").from_(secrets.as_("secrets"))
    counted = counted.join(people.as_("people"), on=same(ids, "secrets", "people"))
    counted = counted.group_by("people.kind", "secrets.v")
    crowd = select("kind", "count(*) AS everybody").from_(people.as_("people")).group_by("kind").subquery("e")
    query = select("kind_answers.*", "coalesce(c.s, 0) AS s", "e.everybody").from_(kind_answers.as_("kind_answers"))
    query = query.join(crowd, on="kind_answers.kind = e.kind")
    on = "kind_answers.kind = c.kind AND kind_answers.v = c.v"
    return query.join(counted.subquery("c"), on=on, join_type="left")


def wide_everything(people: Relation, kind_answers: Relation, ids: Sequence[str], fields: Sequence[str]) -> exp.Select:
    """One row per association that the join allows, adversaries side by side."""
    query = select(*of("people", *ids), "kind_answers.v", *fields).from_(people.as_("people"))
    return query.join(kind_answers.as_("kind_answers"), on="people.kind = kind_answers.kind")


def wide_secrets(
    secrets: Relation, people: Relation, kind_answers: Relation, ids: Sequence[str], fields: Sequence[str]
) -> exp.Select:
    """One row per secret association, adversaries side by side."""
    query = select(*of("secrets", *ids), "secrets.v", *fields).from_(secrets.as_("secrets"))
    query = query.join(people.as_("people"), on=same(ids, "secrets", "people"))
    on = "people.kind = kind_answers.kind AND secrets.v = kind_answers.v"
    return query.join(kind_answers.as_("kind_answers"), on=on)
