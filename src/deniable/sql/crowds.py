"""The queries of `crowds`. The user's names and conditions enter in `base` and `pairs`;
everything else speaks of b0 (public columns), c0 (columns that the views use), p (the private one)
and the columns that say which rows a view selects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import as_text, same
from deniable.engines.scope import Relation
from deniable.sql.build import column, number, of, select, text_of

CLASS = "classes"  # people with equal keys, one row a class


def base(
    source: Relation,
    ids: Sequence[str],
    public: Sequence[str],
    used: Mapping[str, str],
    private: str,
    further: Mapping[str, exp.Expr],
    text: Sequence[str],
) -> exp.Select:
    """Every person: i0… (identifier), b0… (public), c0… (what views use), p, and further columns."""
    chosen: list[exp.Expr] = [text_of(name, f"i{i}") for i, name in enumerate(ids)]
    chosen += [exp.alias_(column(name), f"b{i}") for i, name in enumerate(public)]
    for name, alias in used.items():
        cell: exp.Expr = column(name)
        chosen.append(exp.alias_(as_text(cell) if name in text else cell, alias))
    chosen.append(exp.alias_(column(private), "p"))
    chosen += [exp.alias_(tree, alias) for alias, tree in further.items()]
    return exp.select(*chosen, copy=False).from_(source.as_("source"), copy=False)


def holds(condition: exp.Expr) -> exp.Expr:
    """Whether a condition is true: unknown is not."""
    return exp.func("coalesce", exp.paren(condition.copy()), exp.false())


def truth(condition: exp.Expr) -> exp.Expr:
    """The truth value as a number: 0 false, 1 unknown, 2 true."""
    known = exp.Case().when(exp.paren(condition.copy()), number(2)).when(exp.Not(this=exp.paren(condition)), number(0))
    return known.else_(number(1))


def renamed(tree: exp.Expr, names: Mapping[str, str | exp.Expr]) -> exp.Expr:
    """The tree with the user's columns called as we call them."""

    def rename(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        name = names[node.name]
        return exp.column(name) if isinstance(name, str) else name.copy()

    return tree.copy().transform(rename)


def keyed(
    ids: Sequence[str],
    public: Sequence[str],
    keys: Mapping[str, exp.Expr],
    sets: Mapping[int, Sequence[str]],
    source: str | exp.Subquery = "base",
) -> exp.Select:
    """Every person with their keys; `sets` says which columns of a view lead to its set of values."""
    names = [*(f"i{i}" for i in range(len(ids))), *(f"b{i}" for i in range(len(public))), "p"]
    shown = of("base", *names)
    query = select(*shown, *(exp.alias_(tree, name) for name, tree in keys.items())).from_(source, copy=False)
    for q, parts in sets.items():
        if parts:
            query = query.join(f"sets{q}", on=same(parts, "base", f"sets{q}"))
        else:
            query = query.join(f"sets{q}", join_type="cross")
    return query


def classes(keys: Sequence[str], source: str | exp.Subquery = "keyed") -> exp.Select:
    """People with equal keys: how many, and whether they all have one value (`found` is then 1, else null)."""
    constant = "CASE WHEN count(p) = 0 OR (count(p) = count(*) AND min(p) = max(p)) THEN 1 END AS found"
    return (
        select(*keys, "count(*) AS size", "min(p) AS low", constant)
        .from_(source, copy=False)
        .group_by(*keys, copy=False)
    )


def classes_and_values(keys: Sequence[str], source: str | exp.Subquery = "keyed") -> exp.Select:
    """The same with the number of different values that each class has."""
    pairs = select(*keys, "p", "count(*) AS n").from_(source, copy=False).group_by(*keys, "p", copy=False)
    counted = ("CAST(sum(n) AS BIGINT) AS size", "min(p) AS low", "count(*) AS found")
    return select(*keys, *counted).from_(pairs.subquery("t", copy=False), copy=False).group_by(*keys, copy=False)


def summary() -> exp.Select:
    """The smallest class, how many there are, and whether two that have one value have the same;
    the least number of values, and how many people have but one."""
    pairs = select("count(*) AS alike").from_(CLASS).where("found = 1").group_by("low").subquery("c")
    most = select("coalesce(max(alike), 0)").from_(pairs).subquery()
    sizes = ("min(size) AS k", "count(*) AS crowds", "CAST(sum(size) AS BIGINT) AS people")
    values = ("min(found) AS least", "CAST(coalesce(sum(size) FILTER (WHERE found = 1), 0) AS BIGINT) AS constant")
    return select(*sizes, *values, exp.alias_(most, "alike")).from_(CLASS)


def domain_truths(compared: exp.Expr, truths: Sequence[exp.Expr]) -> exp.Select:
    """Each private value: its position in the order of the compared side, and the private parts' truths."""
    inner = select("v", exp.alias_(compared, "f"), *(exp.alias_(truth(t), f"z{i}") for i, t in enumerate(truths)))
    position = "CASE WHEN f IS NULL THEN -1 ELSE dense_rank() OVER (ORDER BY f NULLS LAST) - 1 END AS position"
    zs = [f"z{i}" for i in range(len(truths))]
    return select("v", position, *zs).from_(inner.from_("domain_").subquery("d")).order_by("v")


def combinations(parts: Sequence[str]) -> exp.Select:
    """The different combinations of the columns that lead to a set, numbered."""
    distinct = select(*(parts or ["0 AS nothing"])).distinct().from_("base")
    return select(*parts, "row_number() OVER () - 1 AS h").from_(distinct.subquery("d"))


def ranks(compared: exp.Expr, threshold: str) -> exp.Select:
    """Each threshold: how many different values of the compared side are below it, and up to it."""
    values = select(exp.alias_(compared, "x"), "1 AS d").distinct().from_("domain_")
    wanted = select(f"{threshold} AS x", "0 AS d").distinct().from_("combinations")
    both = exp.union(values, wanted, distinct=False).subquery("u")
    merged = select("x", "max(d) AS d").from_(both).where("x IS NOT NULL").group_by("x").subquery("m")
    return select("x", "d", "CAST(sum(d) OVER (ORDER BY x) AS BIGINT) AS upto").from_(merged)


def ranked(truths: Sequence[str], thresholds: Sequence[str]) -> exp.Select:
    """The combinations as numbers: truths, and where each threshold falls among the values."""
    query = select("combinations.h", *of("combinations", *truths)).from_("combinations")
    for i, threshold in enumerate(thresholds):
        query = query.select(
            f"coalesce(ranks{i}.upto - ranks{i}.d, -1) AS below{i}", f"coalesce(ranks{i}.upto, -1) AS upto{i}"
        )
        query = query.join(f"ranks{i}", on=f"combinations.{threshold} = ranks{i}.x", join_type="left")
    return query.order_by("h")


def pairs(condition: exp.Expr) -> exp.Select:
    """Every (combination, value) that satisfies a condition: tried one by one."""
    crossed = select("h", "v").from_("combinations").join("domain_", join_type="cross")
    return crossed.where(condition)


def with_sets(parts: Sequence[str]) -> exp.Select:
    """The combinations with the numbers of their sets."""
    query = select(*of("combinations", *parts), "found.t").from_("combinations")
    return query.join("found", on="combinations.h = found.h")


def numbered(keys: Sequence[str]) -> exp.Select:
    """The classes with numbers: the smallest first."""
    order = ", ".join(["size", *(f"{key} NULLS LAST" for key in keys)])
    return select("*", f"row_number() OVER (ORDER BY {order}) - 1 AS a").from_(CLASS)


def cells(flag: exp.Expr, columns: Sequence[exp.Expr]) -> exp.Select:
    """Each class's answer in one view, numbered from 1; 0 when the view never selects it."""
    inner = select("a", exp.alias_(flag, "s"), *(exp.alias_(tree, f"x{i}") for i, tree in enumerate(columns)))
    order = ", ".join(["s", *(f"x{i} NULLS LAST" for i in range(len(columns)))])
    cell = f"CASE WHEN s THEN dense_rank() OVER (ORDER BY {order}) ELSE 0 END AS cell"
    return select("a", cell).from_(inner.from_("numbered").subquery("n")).order_by("a")


def types(keys: Sequence[str]) -> exp.Select:
    """How many people of each class have each value."""
    counted = select(*keys, "p", "count(*) AS n").from_("keyed").group_by(*keys, "p").subquery("keyed")
    query = select("numbered.a", "domain_.v", "keyed.n").from_(counted)
    query = query.join("numbered", on=same(keys, "keyed", "numbered"))
    return query.join("domain_", on=same(["p"], "keyed", "domain_"))


def value_counts(counted: bool) -> exp.Select:
    """How many different values each class has, as the table stands."""
    if counted:
        return select("found").from_("numbered").order_by("a")
    return select("a", "count(*) AS found").from_("types").group_by("a").order_by("a")


def answer(public: Sequence[str], keys: Sequence[str], *, ordered: bool) -> exp.Select:
    """One row per person: public columns, crowd, size, values, exposed; whole classes in one crowd."""
    query = select(*_public(public), *_ANSWERS).from_("keyed")
    query = query.join("numbered", on=same(keys, "keyed", "numbered")).join("crowds", on="numbered.a = crowds.a")
    return _ordered(query, public) if ordered else query


def answer_by_type(public: Sequence[str], keys: Sequence[str], *, ordered: bool) -> exp.Select:
    """The same where the people of one class and value are spread over crowds, and each crowd's values."""
    inner = select("keyed.*", "numbered.a", "domain_.v").from_("keyed")
    inner = inner.join("numbered", on=same(keys, "keyed", "numbered"))
    inner = inner.join("domain_", on=same(["p"], "keyed", "domain_"))
    turn = select("*", "row_number() OVER (PARTITION BY a, v) AS turn").from_(inner.subquery("i"))
    query = select(*_public(public), *_ANSWERS, exp.alias_(exp.column("collection", "names"), "collection"))
    query = query.from_(turn.subquery("keyed"))
    query = query.join(
        "crowds",
        on="keyed.a = crowds.a AND keyed.v = crowds.v AND keyed.turn > crowds.after AND keyed.turn <= crowds.upto",
    )
    query = query.join("names", on="crowds.crowd = names.crowd")
    return _ordered(query, public) if ordered else query


def collections() -> exp.Select:
    """The private values of each crowd, as text."""
    distinct = select("crowds.crowd", "crowds.v").distinct().from_("crowds").subquery("c")
    text = "string_agg(coalesce(CAST(domain_.p AS VARCHAR), ''), '|' ORDER BY c.v) AS collection"
    return select("c.crowd", text).from_(distinct).join("domain_", on="c.v = domain_.v").group_by("c.crowd")


_ANSWERS = ("crowds.crowd", "crowds.size", "crowds.possible AS values", "crowds.exposed")


def _public(names: Sequence[str]) -> list[exp.Expr]:
    return [exp.alias_(exp.column(f"b{i}", "keyed"), name, quoted=True) for i, name in enumerate(names)]


def _ordered(query: exp.Select, public: Sequence[str]) -> exp.Select:
    return query.order_by("crowds.crowd", *(exp.column(f"b{i}", "keyed") for i in range(len(public))))


def standing(
    ids: Sequence[str],
    who: Sequence[str],
    keys: Sequence[str],
    cells: Mapping[int, tuple[exp.Expr, Sequence[exp.Expr]]],
    most: int,
) -> exp.Select:
    """A person's rows: their class and crowd, and what each view says of them."""
    mine = select("*").from_("keyed").where(_called(ids, who)).subquery("keyed")
    query = select("numbered.a", *of("keyed", *keys), "crowds.size", "crowds.possible", "crowds.exposed")
    for q, (flag, shown) in cells.items():
        told = [_of_keyed(tree, keys) for tree in (flag, *shown)]
        query = query.select(exp.alias_(told[0], f"s{q}"))
        query = query.select(*(exp.alias_(exp.cast(tree, "VARCHAR"), f"x{q}_{i}") for i, tree in enumerate(told[1:])))
    query = query.from_(mine).join("numbered", on=same(keys, "keyed", "numbered"))
    return query.join("crowds", on="numbered.a = crowds.a").order_by("numbered.a").limit(most)


def others(ids: Sequence[str], who: Sequence[str], keys: Sequence[str], a: int, most: int) -> exp.Select:
    """A few other people of a class."""
    query = select(*of("keyed", *ids)).from_("keyed").join("numbered", on=same(keys, "keyed", "numbered"))
    query = query.where(exp.column("a", "numbered").eq(number(a)), exp.Not(this=exp.paren(_called(ids, who))))
    return query.order_by(*of("keyed", *ids)).limit(most)


def _called(ids: Sequence[str], who: Sequence[str]) -> exp.Expr:
    return exp.and_(*(exp.column(i, "keyed").eq(exp.Literal.string(text)) for i, text in zip(ids, who, strict=True)))


def _of_keyed(tree: exp.Expr, keys: Sequence[str]) -> exp.Expr:
    return renamed(tree, {key: exp.column(key, "keyed") for key in keys})
