"""The queries of `linkage`. The user's names enter in `people`, `values` and `estimate`; everything else
speaks of person (a row number), g (a group), q0 (quasi-identifiers), x (a private value), s and v (numbers of
signatures and values)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import DOUBLE, first_by, same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.build import of, select, text_of

# Why there is no posterior.
NO_WORLD, NOT_KNOWN, TOO_LARGE, NOT_FITTED = "no world", "not known", "too large", "not fitted"


@frozen
class Grouped:
    """Published people (person, g, q0…), their groups (g, u, people, copies), and the values by number (x, v)."""

    people: Relation
    groups: Relation
    named: Relation


@frozen
class Weighed:
    """One attribute set: its name, its columns among q0…, signatures (q0…, s), shapes (u, shape), and posteriors.

    `cells` has shape, s, v, adversary, probability, lower, upper, bound and reason.
    """

    given: str
    quasi: Sequence[str]
    signatures: Relation
    shapes: Relation
    cells: Relation


def people(source: Relation, group: str, quasi: Sequence[str]) -> exp.Select:
    """The published people: row number, group, quasi-identifiers, all as text."""
    cells = [text_of(name, f"q{i}") for i, name in enumerate(quasi)]
    return exp.select(exp.column("person"), text_of(group, "g"), *cells).from_(source.as_("file"))


def people_of_table(source: Relation, ids: Sequence[str], quasi: Sequence[str], private: str) -> exp.Select:
    """The table's people: identifiers, quasi-identifiers, value, all as text, whatever types the table has."""
    cells = [text_of(name, f"{role}{i}") for role, names in (("i", ids), ("q", quasi)) for i, name in enumerate(names)]
    return exp.select(*cells, text_of(private, "p0")).from_(source.as_("source"))


def values(source: Relation, group: str, private: str) -> exp.Select:
    """The published values: group and value, as text."""
    return exp.select(text_of(group, "g"), text_of(private, "x")).from_(source.as_("file"))


def groups(people: Relation, values: Relation) -> exp.Select:
    """Every group, numbered u: how many people and how many values it has."""
    left = select("g", "count(*) AS people").from_(people.as_("people")).group_by("g").subquery("l")
    right = select("g", "count(*) AS copies").from_(values.as_("values_")).group_by("g").subquery("r")
    joined = select("coalesce(l.g, r.g) AS g", "coalesce(people, 0) AS people", "coalesce(copies, 0) AS copies")
    joined = joined.from_(left).join(right, on=same(["g"], "l", "r"), join_type="full")
    return select("*", "row_number() OVER (ORDER BY g NULLS LAST) - 1 AS u").from_(joined.subquery("j"))


def uneven(groups: Relation) -> exp.Select:
    """Groups that have not as many values as people: how many, and one of them."""
    firsts = (exp.alias_(first_by(name, "g"), name) for name in ("people", "copies"))
    found = select("count(*) AS n", "min(g) AS g", *firsts)
    return found.from_(groups.as_("groups")).where("people <> copies")


def totals(groups: Relation) -> exp.Select:
    """How many groups there are, and how many people in them."""
    return select("count(*) AS groups", "CAST(sum(people) AS BIGINT) AS people").from_(groups.as_("groups"))


def numbered(source: Relation, names: Sequence[str], number: str) -> exp.Select:
    """The different combinations of some columns, numbered."""
    distinct = select(*names).distinct().from_(source.as_("source")).subquery("d")
    return select(*names, f"row_number() OVER (ORDER BY {', '.join(names)}) - 1 AS {number}").from_(distinct)


def by_number(source: Relation, names: Sequence[str], number: str) -> exp.Select:
    """What `numbered` has numbered, in the order of the numbers."""
    return select(*names).from_(source.as_("numbered")).order_by(number)


def signature_counts(grouped: Grouped, signatures: Relation, quasi: Sequence[str]) -> exp.Select:
    """How many people of each group have each signature."""
    query = select("groups.u", "signatures.s", "count(*) AS n").from_(grouped.people.as_("people"))
    query = query.join(grouped.groups.as_("groups"), on=same(["g"], "people", "groups"))
    query = query.join(signatures.as_("signatures"), on=same(quasi, "people", "signatures"))
    return query.group_by("groups.u", "signatures.s")


def value_counts(values: Relation, groups: Relation, named: Relation) -> exp.Select:
    """How often each group has each value."""
    query = select("groups.u", "named.v", "count(*) AS n").from_(values.as_("values_"))
    query = query.join(groups.as_("groups"), on=same(["g"], "values_", "groups"))
    query = query.join(named.as_("named"), on=same(["x"], "values_", "named"))
    return query.group_by("groups.u", "named.v")


def in_text(counts: Relation, code: str) -> exp.Select:
    """The counts of each group in one text, which groups have in common that are alike in them."""
    text = f"string_agg(concat({code}, ':', n), ' ' ORDER BY {code}) AS counted"
    return select("u", text).from_(counts.as_("counts")).group_by("u")


def alike(signatures: Relation, values: Relation) -> exp.Select:
    """Of each group the first that is like it: as many people of each signature, and as often each value."""
    first = "min(signatures.u) OVER (PARTITION BY signatures.counted, values_.counted) AS first_u"
    query = select("signatures.u", first).from_(signatures.as_("signatures"))
    return query.join(values.as_("values_"), on="signatures.u = values_.u")


def kinds(alike: Relation) -> exp.Select:
    """The groups that are the first of their kind, and how many there are of it."""
    return select("first_u AS u", "count(*) AS often").from_(alike.as_("alike")).group_by("first_u")


def kinds_in_order(kinds: Relation) -> exp.Select:
    """The kinds by the number of their first group."""
    return select("u", "often").from_(kinds.as_("kinds")).order_by("u")


def counts_of_kinds(counts: Relation, kinds: Relation, code: str) -> exp.Select:
    """What was counted in the first group of each kind, in order."""
    query = select("counts.u", f"counts.{code}", "counts.n").from_(counts.as_("counts"))
    return query.join(kinds.as_("kinds"), on="counts.u = kinds.u").order_by("counts.u", f"counts.{code}")


def shapes(alike: Relation, numbers: Relation) -> exp.Select:
    """The number of each group's shape: that of the first of its kind."""
    query = select("alike.u", "numbers.shape").from_(alike.as_("alike"))
    return query.join(numbers.as_("numbers"), on="alike.first_u = numbers.u")


def estimate(
    table: Relation, given: Sequence[str], private: str, signatures: Relation, quasi: Sequence[str], named: Relation
) -> exp.Select:
    """The table's own distribution: how many people of each signature have each value, and how many there are."""
    cells = [text_of(name, q) for name, q in zip(given, quasi, strict=True)]
    rows = exp.select(*cells, text_of(private, "x")).from_(table.as_("file")).subquery("t")
    counted = select(*quasi, "x", "count(*) AS n").from_(rows).group_by(*quasi, "x").subquery("c")
    total = f"CAST(sum(n) OVER (PARTITION BY {', '.join(quasi)}) AS BIGINT) AS total"
    shares = select("*", total).from_(counted).subquery("t")
    query = select("signatures.s", "coalesce(named.v, -1) AS v", "t.n", "t.total").from_(shares)
    query = query.join(signatures.as_("signatures"), on=same(quasi, "t", "signatures"))
    return query.join(named.as_("named"), on=same(["x"], "t", "named"), join_type="left")


def answer(grouped: Grouped, sets: Sequence[Weighed], group: str, private: str) -> exp.Select:
    """One row for each person, distinct value of their group, adversary and attribute set."""
    whole = _all_of([_of_set(grouped, weighed) for weighed in sets])
    names: list[str | exp.Expr] = ["person", exp.alias_(exp.column("g"), group, quoted=True)]
    names.append(exp.alias_(exp.column("x"), private, quoted=True))
    rest = ["adversary", "given", "probability", "lower", "upper", "bound", "reason"]
    return select(*names, *rest).from_(whole.subquery("w"))


def in_order(answers: exp.Select) -> exp.Select:
    """The rows of `answer`, person by person."""
    return answers.order_by("person", "given", "adversary", "x")


def _of_set(grouped: Grouped, weighed: Weighed) -> exp.Select:
    query = select(*of("people", "person", "g"), "named.x", "cells.adversary")
    query = query.select(exp.alias_(exp.Literal.string(weighed.given), "given"))
    query = query.select(*of("cells", "probability", "lower", "upper", "bound", "reason"))
    query = _shaped(query, grouped, weighed)
    on = "shapes.shape = cells.shape AND signatures.s = cells.s"
    query = query.join(weighed.cells.as_("cells"), on=on)
    return query.join(grouped.named.as_("named"), on="cells.v = named.v")


def _shaped(query: exp.Select, grouped: Grouped, weighed: Weighed) -> exp.Select:
    """From people to their group's shape and their own signature."""
    query = query.from_(grouped.people.as_("people"))
    query = query.join(grouped.groups.as_("groups"), on=same(["g"], "people", "groups"))
    query = query.join(weighed.signatures.as_("signatures"), on=same(weighed.quasi, "people", "signatures"))
    return query.join(weighed.shapes.as_("shapes"), on="groups.u = shapes.u")


def _all_of(parts: Sequence[exp.Select]) -> exp.Query:
    return parts[0] if len(parts) == 1 else exp.union(*parts, distinct=False)


def worst(grouped: Grouped, weighed: Weighed) -> exp.Select:
    """Each person's largest posterior for one attribute set, by adversary, over the values of their group.

    Where only an interval is known, its lower end counts as the posterior: that much is proved. Somebody is `untold` of
    whom a posterior is not known at all, `unknown` also where there is none.
    """
    largest = select(
        "shape", "s", "adversary", "max(coalesce(probability, lower)) AS probability", "max(lower) AS lower",
        "max(upper) AS upper", "bool_or(upper IS NULL) AS unknown",
        f"bool_or(upper IS NULL AND reason <> '{NO_WORLD}') AS untold",
        f"bool_and(reason IS NOT NULL AND reason = '{NO_WORLD}') AS no_world",
    )  # fmt: skip
    most = largest.from_(weighed.cells.as_("cells")).group_by("shape", "s", "adversary").subquery("m")
    told = ("adversary", "probability", "lower", "upper", "unknown", "untold", "no_world")
    query = select("people.person", *of("m", *told))
    query = _shaped(query, grouped, weighed)
    return query.join(most, on="shapes.shape = m.shape AND signatures.s = m.s")


def worst_groups(grouped: Grouped, sets: Sequence[Relation], most: int) -> exp.Select:
    """The groups with the largest posteriors, small ones first: the group, its people, and the posterior."""
    everybody = _all_of([select("person", "probability").from_(one.as_("worst")) for one in sets]).subquery("worst")
    largest = select("people.g", "count(DISTINCT people.person) AS people", "max(probability) AS probability")
    largest = largest.from_(everybody).join(grouped.people.as_("people"), on="worst.person = people.person")
    query = largest.group_by("people.g").having("max(probability) IS NOT NULL")
    return query.order_by("probability DESC", "people", "people.g").limit(most)


def values_in(values: Relation, group: str | None) -> exp.Select:
    """The values of one group, each as often as it is published."""
    return select("x").from_(values.as_("values_")).where(_is_group(group)).order_by("x")


def people_in(people: Relation, group: str | None, most: int) -> exp.Select:
    """The first people of one group, by the numbers of their rows."""
    return select("person").from_(people.as_("people")).where(_is_group(group)).order_by("person").limit(most)


def _is_group(group: str | None) -> exp.Expr:
    """A null is a name like any other."""
    if group is None:
        return exp.Is(this=exp.column("g"), expression=exp.Null())
    return exp.column("g").eq(exp.Literal.string(group))


def over(sets: Sequence[Relation], limit: float) -> exp.Select:
    """By adversary: people over a limit for some attribute set, not decided, without a world; the worst posterior, and
    what none exceeds (null where some are not known)."""
    bar = exp.cast(exp.convert(limit), DOUBLE.sql)
    above = exp.GT(this=exp.column("lower"), expression=bar)
    perhaps = exp.or_(exp.GT(this=exp.column("upper"), expression=bar.copy()), exp.column("unknown"))
    each = select("person", "adversary", "max(probability) AS probability", "bool_or(no_world) AS no_world")
    each = each.select("max(upper) AS upper", "bool_or(untold) AS untold")
    each = each.select(exp.alias_(exp.LogicalOr(this=exp.func("coalesce", above, exp.false())), "above"))
    each = each.select(exp.alias_(exp.LogicalOr(this=exp.func("coalesce", exp.paren(perhaps), exp.true())), "perhaps"))
    worst = _all_of([select("*").from_(one.as_("worst")) for one in sets]).subquery("worst")
    each = each.from_(worst).group_by("person", "adversary")
    counted = select("adversary", "max(probability) AS worst")
    counted = counted.select("CASE WHEN NOT bool_or(untold) THEN max(upper) END AS worst_at_most")
    counted = counted.select("count(*) FILTER (WHERE above) AS over_")
    counted = counted.select("count(*) FILTER (WHERE perhaps AND NOT above) AS undecided")
    counted = counted.select("count(*) FILTER (WHERE no_world) AS no_world", "count(*) AS people")
    return counted.from_(each.subquery("e")).group_by("adversary")
