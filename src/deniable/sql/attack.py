"""The queries of `attack`: what the adversary knows, and histories that others published.

The user's names enter in `known`, `release_rows` and `population` alone; after them columns are i0…, r, g and x, as
text, and numbered: person, u (group) and v (value).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import as_text, column_type, same, try_cast
from deniable.engines.scope import Relation
from deniable.sql.build import column, numbered, of, select, text_of

ROW = "row of the file"  # what no column of a user is called
_WHOLE = column_type("BIGINT")


def _texts(names: Sequence[str], letter: str) -> list[exp.Expr]:
    return [text_of(name, f"{letter}{k}") for k, name in enumerate(names)]


def known(source: Relation, identifier: Sequence[str], private: str) -> exp.Select:
    """row, i0…, x."""
    value = text_of(private, "x")
    chosen = (exp.alias_(column(ROW), "row"), *_texts(identifier, "i"), value)
    return exp.select(*chosen).from_(source.as_("source"))


def matched(known: Relation, people: Relation, values: Relation, identifier: int) -> exp.Select:
    """The rows of what is known, with the person and the value that they mean; null where there is none."""
    keys = numbered("i", identifier)
    query = select("k.row AS row", *of("k", *keys), "p.person AS person", "d.v AS v").from_(known.as_("k"))
    query = query.join(people.as_("p"), on=same(keys, "k", "p"), join_type="left")
    query = query.join(values.as_("d"), on=same(["x"], "k", "d"), join_type="left")
    return query.order_by("k.row", "p.person")


def release_rows(source: Relation, number: int, group: str, private: str) -> exp.Select:
    """r, g, x and row of one published file."""
    return exp.select(
        exp.alias_(exp.Literal.number(number), "r"),
        text_of(group, "g"),
        text_of(private, "x"),
        exp.alias_(column(ROW), "row"),
    ).from_(source.as_("source"))


def together(parts: Sequence[exp.Select]) -> exp.Query:
    """The rows of all published files."""
    return parts[0] if len(parts) == 1 else exp.union(*parts, distinct=False)


def population(
    source: Relation, release: str, group: str, identifier: Sequence[str], private: str | None
) -> exp.Select:
    """The people's rows: r (null where it is no whole number), g, i0…, x and row; counterfeits are left out."""
    number = try_cast(as_text(column(release)), _WHOLE)
    value = as_text(column(private)) if private else exp.Null()
    nobody = exp.and_(*(exp.Is(this=column(name), expression=exp.Null()) for name in identifier))
    return (
        exp.select(
            exp.alias_(number, "r"),
            text_of(group, "g"),
            *_texts(identifier, "i"),
            exp.alias_(value, "x"),
            exp.alias_(column(ROW), "row"),
        )
        .from_(source.as_("source"))
        .where(exp.Not(this=exp.paren(nobody)))
    )


def groups(published: Relation) -> exp.Select:
    """Every group of every release: u, r, g and how many values it has."""
    rows = select("r", "g", "count(*) AS copies").from_(published.as_("published"))
    found = rows.where("g IS NOT NULL").group_by("r", "g")
    return select("r", "g", "copies", "row_number() OVER (ORDER BY r, g) - 1 AS u").from_(found.subquery("f"))


def values(published: Relation) -> exp.Select:
    """Every published value: v and x."""
    found = select("x").distinct().from_(published.as_("published")).subquery("f")
    return select("x", "row_number() OVER (ORDER BY x NULLS LAST) - 1 AS v").from_(found)


def people(population: Relation, identifier: int) -> exp.Select:
    """Everybody: person and i0…"""
    keys = numbered("i", identifier)
    order = f"row_number() OVER (ORDER BY {', '.join(f'{key} NULLS LAST' for key in keys)}) - 1 AS person"
    return select(*keys, order).from_(select(*keys).distinct().from_(population.as_("population")).subquery("f"))


def seats(population: Relation, people: Relation, groups: Relation, values: Relation, identifier: int) -> exp.Select:
    """Who sits where: row, person, u (null: no such group), r, g, x and v (null: no such value)."""
    keys = numbered("i", identifier)
    chosen = (*of("i", "row", "r", "g", "x"), "p.person", "q.u", "q.copies", "d.v")
    query = select(*chosen).from_(population.as_("i"))
    query = query.join(people.as_("p"), on=same(keys, "i", "p"))
    query = query.join(groups.as_("q"), on="i.r = q.r AND i.g = q.g", join_type="left")
    return query.join(values.as_("d"), on=same(["x"], "i", "d"), join_type="left")


def _counted(source: exp.Table | exp.Subquery, condition: str) -> exp.Select:
    """How many rows are like this, and the first of them."""
    return select("count(*) AS n", "min(row) AS row").from_(source).where(condition)


def rows_without_group(published: Relation, number: int) -> exp.Select:
    """Rows of a release that are in no group: how many, and the first."""
    return _counted(published.as_("published"), f"r = {number} AND g IS NULL")


def other_releases(seats: Relation, releases: int) -> exp.Select:
    """Seats in a release that is none: how many, and the first."""
    return _counted(seats.as_("seats"), f"r IS NULL OR r NOT BETWEEN 1 AND {releases}")


def seats_without_group(seats: Relation) -> exp.Select:
    """Seats in no group: how many, and the first."""
    return _counted(seats.as_("seats"), "g IS NULL")


def other_groups(seats: Relation, releases: int) -> exp.Select:
    """Seats in a group that their release has not: how many, and the first."""
    return _counted(seats.as_("seats"), f"r BETWEEN 1 AND {releases} AND g IS NOT NULL AND u IS NULL")


def crowded(seats: Relation) -> exp.Select:
    """Groups with more members than values: how many, and where the first is."""
    per = select("u", "min(r) AS r", "min(g) AS g", "count(*) AS members", "min(copies) AS copies", "min(row) AS row")
    inside = per.from_(seats.as_("seats")).where("u IS NOT NULL").group_by("u")
    first = (f"first({name} ORDER BY row) AS {name}" for name in ("g", "r", "members", "copies"))
    over = inside.having("count(*) > min(copies)").subquery("o")
    return select("count(*) AS n", "min(row) AS row", *first).from_(over)


def doubled(seats: Relation) -> exp.Select:
    """People who are twice in a release: how many times, and where the first second time is."""
    again = "row_number() OVER (PARTITION BY r, person ORDER BY row) AS often"
    return _counted(select("row", again).from_(seats.as_("seats")).subquery("s"), "often > 1")


def changed(seats: Relation) -> exp.Select:
    """Rows whose value is not that of the person's first row: how many, and the first."""
    first = "first_value(x) OVER (PARTITION BY person ORDER BY row) AS before"
    return _counted(select("row", "x", first).from_(seats.as_("seats")).subquery("s"), "x IS DISTINCT FROM before")


def unheld(published: Relation, seats: Relation) -> exp.Select:
    """Values of members that their group does not have so often: how many groups, and the first row."""
    has = select("r", "g", "x", "count(*) AS copies").from_(published.as_("published")).group_by("r", "g", "x")
    wants = select("r", "g", "x", "count(*) AS members", "min(row) AS row").from_(seats.as_("seats"))
    wants = wants.where("u IS NOT NULL").group_by("r", "g", "x")
    query = select("count(*) AS n", "min(w.row) AS row").from_(wants.subquery("w"))
    same_value = "w.r = h.r AND w.g = h.g AND w.x IS NOT DISTINCT FROM h.x"
    return query.join(has.subquery("h"), on=same_value, join_type="left").where("w.members > coalesce(h.copies, 0)")


def codes(published: Relation, groups: Relation, values: Relation) -> exp.Select:
    """Group and value of every published row, in order."""
    query = select("q.u", "d.v").from_(published.as_("i")).join(groups.as_("q"), on="i.r = q.r AND i.g = q.g")
    return query.join(values.as_("d"), on=same(["x"], "i", "d")).order_by("q.u", "d.v")


def members(seats: Relation) -> exp.Select:
    """Group and person of every seat, in order."""
    return select("u", "person").from_(seats.as_("seats")).order_by("u", "person")


def truth(seats: Relation) -> exp.Select:
    """Everybody's value."""
    return select("person", "min(v) AS v").from_(seats.as_("seats")).group_by("person").order_by("person")


def names_of_people(people: Relation, identifier: int) -> exp.Select:
    """i0… of everybody, in the order of their numbers."""
    return select(*numbered("i", identifier)).from_(people.as_("people")).order_by("person")


def names_of_values(values: Relation) -> exp.Select:
    """The values, in the order of their numbers."""
    return select("x").from_(values.as_("values_")).order_by("v")


def releases_of_groups(groups: Relation) -> exp.Select:
    """The release of every group, in the order of their numbers."""
    return select("r").from_(groups.as_("groups_")).order_by("u")
