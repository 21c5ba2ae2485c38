"""The queries of `crowds`: people with equal keys, one class for each key, and the crowds that classes stand in.

They speak of the columns of `sql.keys`, of a (the number of a class) and of v (the number of a private value).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import as_text, same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.build import number, numbered, of, select
from deniable.sql.conditions import renamed
from deniable.sql.keys import Keys, TellingView


@frozen
class Placed:
    """Where everybody stands: people with their keys, the classes with their numbers, and the crowds."""

    keyed: Relation
    classes: Relation
    crowds: Relation


def classes(keyed: exp.Select, keys: Sequence[str]) -> exp.Select:
    """People with equal keys: how many, and whether they all have one value (`found` is then 1, else null)."""
    constant = "CASE WHEN count(p) = 0 OR (count(p) = count(*) AND min(p) = max(p)) THEN 1 END AS found"
    counted = select(*keys, "count(*) AS size", "min(p) AS low", constant)
    return counted.from_(keyed.subquery("keyed", copy=False), copy=False).group_by(*keys, copy=False)


def classes_and_values(keyed: exp.Select, keys: Sequence[str]) -> exp.Select:
    """The same with the number of different values that each class has."""
    people = keyed.subquery("keyed", copy=False)
    pairs = select(*keys, "p", "count(*) AS n").from_(people, copy=False).group_by(*keys, "p", copy=False)
    counted = ("CAST(sum(n) AS BIGINT) AS size", "min(p) AS low", "count(*) AS found")
    return select(*keys, *counted).from_(pairs.subquery("t", copy=False), copy=False).group_by(*keys, copy=False)


def summary(classes: Relation) -> exp.Select:
    """The smallest class, how many there are, and whether two that have one value have the same;
    the least number of values, and how many people have but one."""
    pairs = select("count(*) AS alike").from_(classes.as_("classes")).where("found = 1").group_by("low").subquery("c")
    most = select("coalesce(max(alike), 0)").from_(pairs).subquery()
    sizes = ("min(size) AS k", "count(*) AS classes", "CAST(sum(size) AS BIGINT) AS people")
    values = ("min(found) AS least", "CAST(coalesce(sum(size) FILTER (WHERE found = 1), 0) AS BIGINT) AS constant")
    return select(*sizes, *values, exp.alias_(most, "alike")).from_(classes.as_("classes"))


def in_order(classes: Relation, keys: Sequence[str]) -> exp.Select:
    """The classes with numbers a: the smallest first."""
    order = ", ".join(["size", *(f"{key} NULLS LAST" for key in keys)])
    return select("*", f"row_number() OVER (ORDER BY {order}) - 1 AS a").from_(classes.as_("classes"))


def sizes(classes: Relation) -> exp.Select:
    """How many people each class has."""
    return select("size").from_(classes.as_("classes")).order_by("a")


def found(classes: Relation) -> exp.Select:
    """How many different values each class has, where they were counted with it."""
    return select("found").from_(classes.as_("classes")).order_by("a")


def told(domain: Relation, names: Sequence[str]) -> exp.Select:
    """What a view tells of each value: equal numbers where it is the same."""
    order = ", ".join(f"{name} NULLS LAST" for name in names)
    return select("v", f"dense_rank() OVER (ORDER BY {order}) - 1 AS code").from_(domain.as_("domain")).order_by("v")


def set_numbers(classes: Relation, keys: Keys, view: TellingView) -> exp.Select:
    """The number of each class's set of values that a view selects."""
    return select(f"{keys.set_column(view)} AS t").from_(classes.as_("classes")).order_by("a")


def cells(classes: Relation, keys: Keys, view: TellingView) -> exp.Select:
    """Each class's answer in one view, numbered from 1; 0 when the view never selects it."""
    flag, columns = keys.cell(view)
    shown = numbered("x", len(columns))
    inner = select("a", exp.alias_(flag, "s"), *map(exp.alias_, columns, shown)).from_(classes.as_("classes"))
    order = ", ".join(["s", *(f"{x} NULLS LAST" for x in shown)])
    cell = f"CASE WHEN s THEN dense_rank() OVER (ORDER BY {order}) ELSE 0 END AS cell"
    return select("a", cell).from_(inner.subquery("n")).order_by("a")


def types(keyed: Relation, classes: Relation, domain: Relation, keys: Sequence[str]) -> exp.Select:
    """How many people of each class have each value."""
    counted = select(*keys, "p", "count(*) AS n").from_(keyed.as_("keyed")).group_by(*keys, "p").subquery("keyed")
    query = select("classes.a", "domain.v", "keyed.n").from_(counted)
    query = query.join(classes.as_("classes"), on=same(keys, "keyed", "classes"))
    return query.join(domain.as_("domain"), on=same(["p"], "keyed", "domain"))


def counts(types: Relation, *, ordered: bool) -> exp.Select:
    """The same, to be fetched."""
    query = select("a", "v", "n").from_(types.as_("types"))
    return query.order_by("a", "v") if ordered else query


def value_counts(types: Relation) -> exp.Select:
    """How many different values each class has, as the table stands."""
    return select("a", "count(*) AS found").from_(types.as_("types")).group_by("a").order_by("a")


def how_many(relation: Relation) -> exp.Select:
    """How many rows something has."""
    return select("count(*) AS n").from_(relation.as_("counted"))


def answer(placed: Placed, public: Sequence[str], keys: Sequence[str], *, ordered: bool) -> exp.Select:
    """One row per person: public columns, crowd, size, values, exposed; whole classes in one crowd."""
    query = _of_class(select(*_public(public), *_ANSWERS).from_(placed.keyed.as_("keyed")), placed.classes, keys)
    query = query.join(placed.crowds.as_("crowds"), on="classes.a = crowds.a")
    return _ordered(query, public) if ordered else query


def answer_by_type(
    placed: Placed,
    domain: Relation,
    collections: Relation,
    public: Sequence[str],
    keys: Sequence[str],
    *,
    ordered: bool,
) -> exp.Select:
    """The same where the people of one class and value are spread over crowds, and each crowd's values."""
    inner = _of_class(select("keyed.*", "classes.a", "domain.v").from_(placed.keyed.as_("keyed")), placed.classes, keys)
    inner = inner.join(domain.as_("domain"), on=same(["p"], "keyed", "domain"))
    turn = select("*", "row_number() OVER (PARTITION BY a, v) AS turn").from_(inner.subquery("i"))
    query = select(*_public(public), *_ANSWERS, "collections.collection").from_(turn.subquery("keyed"))
    query = query.join(
        placed.crowds.as_("crowds"),
        on="keyed.a = crowds.a AND keyed.v = crowds.v AND keyed.turn > crowds.after AND keyed.turn <= crowds.upto",
    )
    query = query.join(collections.as_("collections"), on="crowds.crowd = collections.crowd")
    return _ordered(query, public) if ordered else query


def collections(crowds: Relation, domain: Relation) -> exp.Select:
    """The private values of each crowd, as text."""
    distinct = select("crowds.crowd", "crowds.v").distinct().from_(crowds.as_("crowds")).subquery("c")
    inner = select("c.crowd", "c.v", exp.alias_(as_text(exp.column("p", "domain")), "value")).from_(distinct)
    inner = inner.join(domain.as_("domain"), on="c.v = domain.v")
    text = "string_agg(coalesce(value, ''), '|' ORDER BY v) AS collection"
    return select("crowd", text).from_(inner.subquery("c")).group_by("crowd")


def standing(placed: Placed, keys: Keys, who: Sequence[str], most: int) -> exp.Select:
    """A person's rows: their class and crowd; s0… whether each view selects them, x0_0… what it then shows."""
    mine = select("*").from_(placed.keyed.as_("keyed")).where(_called(who)).subquery("keyed")
    of_keyed = {key: exp.column(key, "keyed") for key in keys.names}
    told: list[exp.Expr] = []  # all at once: a view may publish thousands of columns
    for view in keys.views:
        flag, shown = keys.cell(view)
        told.append(exp.alias_(renamed(flag, of_keyed), f"s{view.number}"))
        cells = (as_text(renamed(tree, of_keyed)) for tree in shown)
        told += [exp.alias_(cell, f"x{view.number}_{i}") for i, cell in enumerate(cells)]
    found = ("classes.a", *of("keyed", *keys.names), "crowds.size", "crowds.possible", "crowds.exposed")
    query = _of_class(select(*found, *told).from_(mine), placed.classes, keys.names)
    return query.join(placed.crowds.as_("crowds"), on="classes.a = crowds.a").order_by("classes.a").limit(most)


def others(placed: Placed, keys: Sequence[str], who: Sequence[str], a: int, most: int) -> exp.Select:
    """A few other people of a class."""
    ids = of("keyed", *numbered("i", len(who)))
    query = _of_class(select(*ids).from_(placed.keyed.as_("keyed")), placed.classes, keys)
    query = query.where(exp.column("a", "classes").eq(number(a)), exp.Not(this=exp.paren(_called(who))))
    return query.order_by(*ids).limit(most)


_ANSWERS = ("crowds.crowd", "crowds.size", "crowds.possible AS values", "crowds.exposed")


def _public(names: Sequence[str]) -> list[exp.Expr]:
    return [exp.alias_(exp.column(f"b{i}", "keyed"), name, quoted=True) for i, name in enumerate(names)]


def _of_class(query: exp.Select, classes: Relation, keys: Sequence[str]) -> exp.Select:
    """People of `keyed` beside the class that has their key."""
    return query.join(classes.as_("classes"), on=same(keys, "keyed", "classes"))


def _ordered(query: exp.Select, public: Sequence[str]) -> exp.Select:
    return query.order_by("crowds.crowd", *(exp.column(f"b{i}", "keyed") for i in range(len(public))))


def _called(who: Sequence[str]) -> exp.Expr:
    return exp.and_(*(exp.column(f"i{i}", "keyed").eq(exp.Literal.string(text)) for i, text in enumerate(who)))
