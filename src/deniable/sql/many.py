"""The queries of a breach with any number of views.

rows     i* the identifier, z* every published column, s secret or not
values_  private value -> v
side{k}  the tuples of view k, less the columns that nobody else sees: u{k}, and how many
         view tuples share it (mu{k}); those are interchangeable
bundles  the join of the sides: u0 … uK, v, and n, how many join tuples each stands for
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import of, select


def values(private: str) -> exp.Select:
    """A number for each private value, null included."""
    distinct = select(f"{private} AS p0").distinct().from_("rows").subquery("d")
    return select("p0", "CAST(row_number() OVER () - 1 AS INT) AS v").from_(distinct)


def side(k: int, columns: Sequence[str], kept: Sequence[str]) -> exp.Select:
    """View k by the columns that matter to others."""
    distinct = select(*columns).distinct().from_("rows").subquery("d")
    if not kept:
        return select(f"CAST(0 AS INT) AS u{k}", f"count(*) AS mu{k}").from_(distinct)
    number = f"CAST(row_number() OVER () - 1 AS INT) AS u{k}"
    return select(*kept, number, f"count(*) AS mu{k}").from_(distinct).group_by(*kept)


def bundles(order: Sequence[int], kept: Sequence[Sequence[str]], private: str) -> exp.Select:
    """The join of the sides, view by view in an order that keeps neighbours together."""
    first = order[0]
    query = select().from_(f"side{first}")
    seen: dict[str, int] = dict.fromkeys(kept[first], first)
    for k in order[1:]:
        pairs = [(column, seen[column]) for column in kept[k] if column in seen]
        on: exp.Expr | str = "true"
        if pairs:
            on = exp.and_(*(_equal(column, f"side{j}", f"side{k}") for column, j in pairs))
        query = query.join(f"side{k}", on=on)
        for column in kept[k]:
            seen.setdefault(column, k)
    holder = f"side{seen[private]}"
    value = exp.NullSafeEQ(this=exp.column(private, holder), expression=exp.column("p0", "values_"))
    query = query.join("values_", on=value)
    counts = " * ".join(f"CAST(side{k}.mu{k} AS DOUBLE)" for k in sorted(order))
    columns = [f"side{k}.{name}{k}" for k in sorted(order) for name in ("u", "mu")]
    return query.select(*columns, "values_.v", f"{counts} AS n")


def _equal(column: str, left: str, right: str) -> exp.Expr:
    return exp.NullSafeEQ(this=exp.column(column, left), expression=exp.column(column, right))


def at_most(query: exp.Select, limit: int) -> exp.Select:
    """How many rows a query has, counting no further than limit + 1."""
    some = query.copy().select("1 AS one", append=False).limit(limit + 1).subquery("q")
    return select("count(*) AS k").from_(some)


def clause_sizes(k: int) -> exp.Select:
    """How many join tuples stand behind each tuple of view k."""
    sums = (f"sum(n) / min(mu{k}) AS w", f"min(mu{k}) AS mu")
    return select(f"u{k} AS u", *sums).from_("bundles").group_by(f"u{k}")


def reach(home: int) -> exp.Select:
    """How many join tuples each kind of ID-side tuple has with each value."""
    return select(f"u{home} AS a", "v", f"sum(n) / min(mu{home}) AS c").from_("bundles").group_by(f"u{home}", "v")


def touched(home: int, views: Sequence[int]) -> exp.Query:
    """Per kind of ID-side tuple and view tuple that it reaches: t tuples in common, w in all."""
    parts = []
    for k in views:
        shared = select(f"u{home} AS a", f"u{k} AS u", f"sum(n) / min(mu{home}) / min(mu{k}) AS t", f"min(mu{k}) AS mu")
        shared = shared.from_("bundles").group_by(f"u{home}", f"u{k}")
        query = select("q.a", f"{k} AS k", "q.u", "q.t", "q.mu", "w.w").from_(shared.subquery("q"))
        parts.append(query.join(exp.to_table(f"clauses{k}", alias="w"), on="q.u = w.u"))
    total: exp.Query = parts[0]
    for part in parts[1:]:
        total = total.union(part, distinct=False)
    return total


def person_types(ids: Sequence[str], columns: Sequence[str], kept: Sequence[str], home: int) -> exp.Select:
    """Everybody's ID-side tuples, each as the kind that it is: i*, a."""
    distinct = select(*ids, *columns).distinct().from_("rows").subquery("d")
    query = select(*of("d", *ids), f"side{home}.u{home} AS a").from_(distinct)
    return query.join(f"side{home}", on=same(kept, "d", f"side{home}") if kept else "true")


def people_settled(ids: Sequence[str]) -> exp.Select:
    """Everybody with their kind, when each has one ID-side tuple."""
    return select(*ids, "a AS kind").from_("person_types")


def people_roaming(ids: Sequence[str]) -> exp.Select:
    """Everybody with all their ID-side tuples as text, when somebody has several."""
    text = "string_agg(CAST(a AS VARCHAR), ' ' ORDER BY a) AS types"
    return select(*ids, text).from_("person_types").group_by(*ids)


def kinds() -> exp.Select:
    """Each such text once, with a number."""
    distinct = select("types").distinct().from_("people_types").subquery("d")
    return select("types", "CAST(row_number() OVER () - 1 AS INT) AS kind").from_(distinct)


def people_of_kinds(ids: Sequence[str]) -> exp.Select:
    """Everybody with the number of their kind."""
    query = select(*of("people_types", *ids), "kinds.kind").from_("people_types")
    return query.join("kinds", on="people_types.types = kinds.types")


def kind_touched() -> exp.Select:
    """Per kind: the sum over view tuples of 2^-(w - t), t being the person's tuples in it.

    A view tuple that holds all of the person's join tuples and no other says nothing new
    when the person has one ID-side tuple, which says the same.
    """
    joined = select("members.kind", "k", "u", "sum(times * t) AS t", "min(w) AS w", "min(mu) AS mu")
    joined = joined.from_("touched").join("members", on="touched.a = members.a").group_by("members.kind", "k", "u")
    alone = "members_total.alone AND d.t = d.w AND d.t = members_total.total"
    power = "pow(CAST(2 AS DOUBLE), -least(d.w - d.t, 1000))"
    query = select("d.kind", f"sum(CASE WHEN {alone} THEN 0 ELSE d.mu * {power} END) AS sigma")
    query = query.from_(joined.subquery("d"))
    return query.join("members_total", on="d.kind = members_total.kind").group_by("d.kind")


def members_total() -> exp.Select:
    """Per kind: all join tuples of such a person, and whether it has one ID-side tuple."""
    totals = select("a", "sum(c) AS w").from_("reach").group_by("a").subquery("r")
    query = select("members.kind", "sum(times * r.w) AS total", "sum(times) = 1 AS alone").from_("members")
    return query.join(totals, on="members.a = r.a").group_by("members.kind")


def kind_reach() -> exp.Select:
    """Per kind, ID-side tuple and value: how many join tuples, of how many in all."""
    totals = select("a", "sum(c) AS w").from_("reach").group_by("a").subquery("r")
    query = select("members.kind", "members.a", "members.times", "reach.v", "reach.c", "r.w").from_("members")
    query = query.join("reach", on="members.a = reach.a").join(totals, on="members.a = r.a")
    return query.order_by("members.kind", "reach.v", "members.a")


def secrets(ids: Sequence[str], private: str) -> exp.Select:
    """The secret associations: i*, v."""
    query = select(*of("rows", *ids), "values_.v").distinct().from_("rows")
    value = exp.NullSafeEQ(this=exp.column(private, "rows"), expression=exp.column("p0", "values_"))
    return query.join("values_", on=value).where("rows.s")


def answers(ids: Sequence[str]) -> exp.Select:
    """The answers with how many secret associations, and how many people, each stands for."""
    counted = select("people.kind", "secrets.v", "count(*) AS s").from_("secrets")
    counted = counted.join("people", on=same(ids, "secrets", "people")).group_by("people.kind", "secrets.v")
    crowd = select("kind", "count(*) AS everybody").from_("people").group_by("kind").subquery("e")
    query = select("kind_answers.*", "coalesce(c.s, 0) AS s", "e.everybody").from_("kind_answers")
    query = query.join(crowd, on="kind_answers.kind = e.kind")
    on = "kind_answers.kind = c.kind AND kind_answers.v = c.v"
    return query.join(counted.subquery("c"), on=on, join_type="left")


def wide(ids: Sequence[str], fields: Sequence[str], everything: bool) -> exp.Select:
    """One row per association, adversaries side by side."""
    if everything:
        query = select(*of("people", *ids), "kind_answers.v", *fields).from_("people")
        return query.join("kind_answers", on="people.kind = kind_answers.kind")
    query = select(*of("secrets", *ids), "secrets.v", *fields).from_("secrets")
    query = query.join("people", on=same(ids, "secrets", "people"))
    return query.join("kind_answers", on="people.kind = kind_answers.kind AND secrets.v = kind_answers.v")
