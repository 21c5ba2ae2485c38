"""The queries of `linkage`. The user's names enter in `people`, `values` and `estimate`; everything else
speaks of person (a row number), g (a group), q0 (quasi-identifiers), x (a private value), s and v (numbers of
signatures and values)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import column, of, select


def people(source: str, group: str, quasi: Sequence[str]) -> exp.Select:
    """The published people: row number, group, quasi-identifiers, all as text."""
    cells = [exp.alias_(_text(name), f"q{i}") for i, name in enumerate(quasi)]
    return exp.select(exp.column("person"), exp.alias_(_text(group), "g"), *cells).from_(source)


def values(source: str, group: str, private: str) -> exp.Select:
    """The published values: group and value, as text."""
    return exp.select(exp.alias_(_text(group), "g"), exp.alias_(_text(private), "x")).from_(source)


def _text(name: str) -> exp.Expr:
    return exp.cast(column(name), "VARCHAR")


def groups() -> exp.Select:
    """Every group, numbered u: how many people and how many values it has."""
    left = select("g", "count(*) AS people").from_("published_people").group_by("g").subquery("l")
    right = select("g", "count(*) AS copies").from_("published_values").group_by("g").subquery("r")
    joined = select("coalesce(l.g, r.g) AS g", "coalesce(people, 0) AS people", "coalesce(copies, 0) AS copies")
    joined = joined.from_(left).join(right, on=same(["g"], "l", "r"), join_type="full")
    return select("*", "row_number() OVER (ORDER BY g NULLS LAST) - 1 AS u").from_(joined.subquery("j"))


def uneven() -> exp.Select:
    """Groups that have not as many values as people: how many, and one of them."""
    found = select("count(*) AS n", "min(g) AS g", "arg_min(people, g) AS people", "arg_min(copies, g) AS copies")
    return found.from_("groups_").where("people <> copies")


def numbered(source: str, names: Sequence[str], number: str) -> exp.Select:
    """The different combinations of some columns, numbered."""
    distinct = select(*names).distinct().from_(source).subquery("d")
    return select(*names, f"row_number() OVER (ORDER BY {', '.join(names)}) - 1 AS {number}").from_(distinct)


def signature_counts(k: int, quasi: Sequence[str]) -> exp.Select:
    """How many people of each group have each signature."""
    query = select("groups_.u", f"sig{k}.s", "count(*) AS n").from_("published_people")
    query = query.join("groups_", on=same(["g"], "published_people", "groups_"))
    query = query.join(f"sig{k}", on=same(quasi, "published_people", f"sig{k}"))
    return query.group_by("groups_.u", f"sig{k}.s").order_by("groups_.u", f"sig{k}.s")


def value_counts() -> exp.Select:
    """How often each group has each value."""
    query = select("groups_.u", "named.v", "count(*) AS n").from_("published_values")
    query = query.join("groups_", on=same(["g"], "published_values", "groups_"))
    query = query.join("named", on=same(["x"], "published_values", "named"))
    return query.group_by("groups_.u", "named.v").order_by("groups_.u", "named.v")


def estimate(k: int, source: str, given: Sequence[str], quasi: Sequence[str], private: str) -> exp.Select:
    """The table's own distribution: how many people of each signature have each value, and how many there are."""
    cells = [exp.alias_(_text(name), q) for name, q in zip(given, quasi, strict=True)]
    table = exp.select(*cells, exp.alias_(_text(private), "x")).from_(source).subquery("t")
    counted = select(*quasi, "x", "count(*) AS n").from_(table).group_by(*quasi, "x").subquery("c")
    total = f"CAST(sum(n) OVER (PARTITION BY {', '.join(quasi)}) AS BIGINT) AS total"
    shares = select("*", total).from_(counted).subquery("t")
    query = select(f"sig{k}.s", "coalesce(named.v, -1) AS v", "t.n", "t.total").from_(shares)
    query = query.join(f"sig{k}", on=same(quasi, "t", f"sig{k}"))
    return query.join("named", on=same(["x"], "t", "named"), join_type="left")


def answer(given: Sequence[str], sets: Sequence[Sequence[str]], group: str, private: str) -> exp.Select:
    """One row for each person, distinct value of their group, adversary and attribute set."""
    whole = all_of([_of_set(k, name, quasi) for k, (name, quasi) in enumerate(zip(given, sets, strict=True))])
    names: list[str | exp.Expr] = ["person", exp.alias_(exp.column("g"), group, quoted=True)]
    names.append(exp.alias_(exp.column("x"), private, quoted=True))
    rest = ["adversary", "given", "probability", "lower", "upper", "bound", "reason"]
    return select(*names, *rest).from_(whole.subquery("w"))


def _of_set(k: int, given: str, quasi: Sequence[str]) -> exp.Select:
    query = select(*of("published_people", "person", "g"), "named.x", f"cells{k}.adversary")
    query = query.select(exp.alias_(exp.Literal.string(given), "given"))
    query = query.select(*of(f"cells{k}", "probability", "lower", "upper", "bound", "reason")).from_("published_people")
    query = query.join("groups_", on=same(["g"], "published_people", "groups_"))
    query = query.join(f"sig{k}", on=same(quasi, "published_people", f"sig{k}"))
    query = query.join(f"shapes{k}", on=f"groups_.u = shapes{k}.u")
    query = query.join(f"cells{k}", on=f"shapes{k}.shape = cells{k}.shape AND sig{k}.s = cells{k}.s")
    return query.join("named", on=f"cells{k}.v = named.v")


def all_of(parts: Sequence[exp.Select]) -> exp.Query:
    """The rows of every query."""
    return parts[0] if len(parts) == 1 else exp.union(*parts, distinct=False)


def worst(k: int, quasi: Sequence[str]) -> exp.Select:
    """Each person's largest posterior for one attribute set, by adversary, over the values of their group."""
    largest = select(
        "shape", "s", "adversary", "max(probability) AS probability", "max(lower) AS lower", "max(upper) AS upper",
        "bool_or(probability IS NULL) AS unknown", "bool_and(reason IS NOT NULL AND reason = 'no world') AS no_world",
    )  # fmt: skip
    most = largest.from_(f"cells{k}").group_by("shape", "s", "adversary").subquery("m")
    query = select(*of("published_people", "person"), *of("m", "adversary", "probability", "lower", "upper", "unknown"))
    query = query.select("m.no_world").from_("published_people")
    query = query.join("groups_", on=same(["g"], "published_people", "groups_"))
    query = query.join(f"sig{k}", on=same(quasi, "published_people", f"sig{k}"))
    query = query.join(f"shapes{k}", on=f"groups_.u = shapes{k}.u")
    return query.join(most, on=f"shapes{k}.shape = m.shape AND sig{k}.s = m.s")


def over(source: str, limit: float) -> exp.Select:
    """By adversary: people over a limit for some attribute set, not decided, without a world; the worst posterior."""
    bar = exp.convert(limit)
    above = exp.GT(this=exp.column("lower"), expression=bar)
    perhaps = exp.or_(exp.GT(this=exp.column("upper"), expression=bar.copy()), exp.column("unknown"))
    each = select("person", "adversary", "max(probability) AS probability", "bool_or(no_world) AS no_world")
    each = each.select(exp.alias_(exp.LogicalOr(this=exp.func("coalesce", above, exp.false())), "above"))
    each = each.select(exp.alias_(exp.LogicalOr(this=exp.func("coalesce", exp.paren(perhaps), exp.true())), "perhaps"))
    each = each.from_(source).group_by("person", "adversary")
    counted = select("adversary", "max(probability) AS worst", "count(*) FILTER (WHERE above) AS over_")
    counted = counted.select("count(*) FILTER (WHERE perhaps AND NOT above) AS undecided")
    counted = counted.select("count(*) FILTER (WHERE no_world) AS no_world", "count(*) AS people")
    return counted.from_(each.subquery("e")).group_by("adversary")
