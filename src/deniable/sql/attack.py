"""The queries of `attack`: what the adversary knows, and histories that others published.

The user's names enter in `known`, `release_rows` and `population` alone; after them columns are i0…, r, g and x, as
text, and numbered: person, u (group) and v (value).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import column, of, select, text_of

ROW = "row of the file"  # what no column of a user is called


def _texts(names: Sequence[str], letter: str) -> list[exp.Expr]:
    return [text_of(name, f"{letter}{k}") for k, name in enumerate(names)]


def known(source: str, identifier: Sequence[str], private: str) -> exp.Select:
    """row, i0…, x."""
    value = text_of(private, "x")
    return exp.select(exp.alias_(column(ROW), "row"), *_texts(identifier, "i"), value).from_(source)


def matched(identifier: int) -> exp.Select:
    """The rows of what is known, with the person and the value that they mean; null where there is none."""
    keys = [f"i{k}" for k in range(identifier)]
    query = select("k.row AS row", *of("k", *keys), "p.person AS person", "d.v AS v").from_("known_cells AS k")
    query = query.join("people_numbers AS p", on=same(keys, "k", "p"), join_type="left")
    query = query.join("value_numbers AS d", on=same(["x"], "k", "d"), join_type="left")
    return query.order_by("k.row", "p.person")


def release_rows(source: str, number: int, group: str, private: str) -> exp.Select:
    """r, g, x and row of one published file."""
    return exp.select(
        exp.alias_(exp.Literal.number(number), "r"),
        text_of(group, "g"),
        text_of(private, "x"),
        exp.alias_(column(ROW), "row"),
    ).from_(source)


def population(source: str, release: str, group: str, identifier: Sequence[str], private: str | None) -> exp.Select:
    """The people's rows: r (null where it is no whole number), g, i0…, x and row; counterfeits are left out."""
    number = exp.TryCast(this=exp.cast(column(release), "VARCHAR"), to=exp.DataType.build("BIGINT"))
    value = exp.cast(column(private), "VARCHAR") if private else exp.Null()
    nobody = exp.and_(*(exp.Is(this=column(name), expression=exp.Null()) for name in identifier))
    return (
        exp.select(
            exp.alias_(number, "r"),
            text_of(group, "g"),
            *_texts(identifier, "i"),
            exp.alias_(value, "x"),
            exp.alias_(column(ROW), "row"),
        )
        .from_(source)
        .where(exp.Not(this=exp.paren(nobody)))
    )


def groups() -> exp.Select:
    """Every group of every release: u, r, g and how many values it has."""
    found = select("r", "g", "count(*) AS copies").from_("published").where("g IS NOT NULL").group_by("r", "g")
    return select("r", "g", "copies", "row_number() OVER (ORDER BY r, g) - 1 AS u").from_(found.subquery("f"))


def values() -> exp.Select:
    """Every published value: v and x."""
    found = select("x").distinct().from_("published").subquery("f")
    return select("x", "row_number() OVER (ORDER BY x NULLS LAST) - 1 AS v").from_(found)


def people(identifier: int) -> exp.Select:
    """Everybody: person and i0…"""
    keys = [f"i{k}" for k in range(identifier)]
    order = f"row_number() OVER (ORDER BY {', '.join(f'{key} NULLS LAST' for key in keys)}) - 1 AS person"
    return select(*keys, order).from_(select(*keys).distinct().from_("population").subquery("f"))


def seats(identifier: int) -> exp.Select:
    """Who sits where: row, person, u (null: no such group), r, g, x and v (null: no such value)."""
    keys = [f"i{k}" for k in range(identifier)]
    query = select(*of("i", "row", "r", "g", "x"), "p.person", "q.u", "q.copies", "d.v").from_("population AS i")
    query = query.join("people_numbers AS p", on=same(keys, "i", "p"))
    query = query.join("group_numbers AS q", on="i.r = q.r AND i.g = q.g", join_type="left")
    return query.join("value_numbers AS d", on=same(["x"], "i", "d"), join_type="left")


def rows_where(source: str | exp.Expr, condition: str) -> exp.Select:
    """How many rows are like this, and the first of them."""
    return select("count(*) AS n", "min(row) AS row").from_(source).where(condition)


def crowded() -> exp.Select:
    """Groups with more members than values: how many, and where the first is."""
    per = select("u", "min(r) AS r", "min(g) AS g", "count(*) AS members", "min(copies) AS copies", "min(row) AS row")
    over = per.from_("seats").where("u IS NOT NULL").group_by("u").having("count(*) > min(copies)").subquery("o")
    first = (f"first({name} ORDER BY row) AS {name}" for name in ("g", "r", "members", "copies"))
    return select("count(*) AS n", "min(row) AS row", *first).from_(over)


def doubled() -> exp.Select:
    """People who are twice in a release: how many times, and where the first second time is."""
    again = "row_number() OVER (PARTITION BY r, person ORDER BY row) AS often"
    return rows_where(select("row", again).from_("seats").subquery("s"), "often > 1")


def changed() -> exp.Select:
    """Rows whose value is not that of the person's first row."""
    first = "first_value(x) OVER (PARTITION BY person ORDER BY row) AS before"
    return rows_where(select("row", "x", first).from_("seats").subquery("s"), "x IS DISTINCT FROM before")


def unheld() -> exp.Select:
    """Values of members that their group does not have so often: how many groups, and the first row."""
    has = select("r", "g", "x", "count(*) AS copies").from_("published").group_by("r", "g", "x").subquery("h")
    wants = select("r", "g", "x", "count(*) AS members", "min(row) AS row").from_("seats").where("u IS NOT NULL")
    query = select("count(*) AS n", "min(w.row) AS row").from_(wants.group_by("r", "g", "x").subquery("w"))
    query = query.join(has, on="w.r = h.r AND w.g = h.g AND w.x IS NOT DISTINCT FROM h.x", join_type="left")
    return query.where("w.members > coalesce(h.copies, 0)")


def codes() -> exp.Select:
    """Group and value of every published row, in order."""
    query = select("q.u", "d.v").from_("published AS i").join("group_numbers AS q", on="i.r = q.r AND i.g = q.g")
    return query.join("value_numbers AS d", on=same(["x"], "i", "d")).order_by("q.u", "d.v")


def members() -> exp.Select:
    """Group and person of every seat, in order."""
    return select("u", "person").from_("seats").order_by("u", "person")


def truth() -> exp.Select:
    """Everybody's value."""
    return select("person", "min(v) AS v").from_("seats").group_by("person").order_by("person")
