"""Identifiers repeat, each in one ID-side tuple: how often each stands there, which some adversaries see.

persons   i* -> g, own rows, joined: different P-side tuples among them
owns      (g, own, joined): how many people
own_cells (g, own, joined, v): the cell's counts, s secret associations, `everybody` who could have it; and key, the
          number of what decides an answer: keys
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.sql.adversaries import fields_of
from deniable.sql.build import of, select
from deniable.sql.two_views import ColumnNames, rows_with_values

OWN = ("g", "own", "joined")
COUNTS = ("m", "n", "rows", "c", "r", "own", "joined", "as_often")
SHAPES = ("ids", "vals", "mine")
KEY = (*COUNTS, *SHAPES)


def persons(rows: Relation, groups: Relation, names: ColumnNames) -> exp.Select:
    """Everybody with their group, their rows in it and how many different P-side tuples these have."""
    sides = [*names.ids, *names.joins]
    each = select(*sides, "p0", *names.others, "count(*) AS w").from_(rows.as_("rows"))
    each = each.group_by(*sides, "p0", *names.others)
    mine = select(*sides, "CAST(sum(w) AS BIGINT) AS own", "count(*) AS joined")
    mine = mine.from_(each.subquery("e")).group_by(*sides)
    query = select(*of("d", *names.ids), "g", "own", "joined").from_(mine.subquery("d"))
    return query.join(groups.as_("groups"), on=same(names.joins, "d", "groups"))


def owns(persons: Relation) -> exp.Select:
    """How many people have so many rows and tuples in each group, and how many have as many rows or more."""
    grouped = select(*OWN, "count(*) AS people").from_(persons.as_("persons")).group_by(*OWN).subquery("q")
    over = "sum(people) OVER (PARTITION BY g ORDER BY own DESC RANGE UNBOUNDED PRECEDING)"
    return select(*OWN, "people", f"CAST({over} AS BIGINT) AS as_often").from_(grouped)


def sides(owns: Relation) -> exp.Select:
    """One ID-side tuple for each person."""
    return select("g", "CAST(sum(people) AS BIGINT) AS m").from_(owns.as_("owns")).group_by("g")


def value_tuples(rows: Relation, values: Relation, groups: Relation, names: ColumnNames) -> exp.Select:
    """How often each P-side tuple is published: g, v, r."""
    coded = rows_with_values(rows, values, [*names.joins, *names.others]).subquery("t")
    each = select(*names.joins, "v", "count(*) AS r").from_(coded).group_by(*names.joins, "v", *names.others)
    query = select("g", "e.v", "e.r").from_(each.subquery("e"))
    return query.join(groups.as_("groups"), on=same(names.joins, "e", "groups"))


def own_cells(
    owns: Relation, value_tuples: Relation, pairs: Relation, groups: Relation, sides: Relation, cells: Relation,
    most: int,
) -> exp.Select:  # fmt: skip
    """Everything that decides an answer; the shapes of groups of up to `most` rows as text, `size:tuples …`."""
    id_shapes = _shape(_counted(owns, "own", "CAST(sum(people) AS BIGINT)", ["g"]), "own", "ids", ["g"])
    value_shapes = _shape(_counted(value_tuples, "r", "count(*)", ["g"]), "r", "vals", ["g"])
    mine = _shape(_counted(value_tuples, "r", "count(*)", ["g", "v"]), "r", "mine", ["g", "v"])
    secret = select(*OWN, "v", "count(*) AS s").from_(pairs.as_("pairs")).group_by(*OWN, "v").subquery("p")
    small = f"groups.rows <= {most}"
    shapes = [f"CASE WHEN {small} THEN {source}.{name} ELSE '' END AS {name}"
              for source, name in (("x", "ids"), ("y", "vals"), ("z", "mine"))]  # fmt: skip
    query = select(
        *of("owns", *OWN), "owns.as_often", "owns.people AS everybody", *of("cells", "v", "c", "r"),
        "coalesce(p.s, 0) AS s", "sides.m", *of("groups", "n", "rows"), *shapes,
    ).from_(owns.as_("owns"))  # fmt: skip
    query = query.join(groups.as_("groups"), on="owns.g = groups.g").join(sides.as_("sides"), on="owns.g = sides.g")
    query = query.join(cells.as_("cells"), on="owns.g = cells.g")
    query = query.join(id_shapes, on="owns.g = x.g").join(value_shapes, on="owns.g = y.g")
    query = query.join(mine, on="cells.g = z.g AND cells.v = z.v")
    on = "owns.g = p.g AND owns.own = p.own AND owns.joined = p.joined AND cells.v = p.v"
    return query.join(secret, on=on, join_type="left")


_NAMES = {"ids": "x", "vals": "y", "mine": "z"}


def _counted(relation: Relation, size: str, many: str, by: Sequence[str]) -> exp.Subquery:
    query = select(*by, size, f"{many} AS many").from_(relation.as_("a"))
    return query.group_by(*by, size).subquery("k")


def _shape(counted: exp.Subquery, size: str, name: str, by: Sequence[str]) -> exp.Subquery:
    text = f"string_agg(concat({size}, ':', many), ' ' ORDER BY {size}) AS {name}"
    return select(*by, text).from_(counted).group_by(*by).subquery(_NAMES[name])


def keys(own_cells: Relation) -> exp.Select:
    """What decides an answer, each once, with a number."""
    distinct = select(*KEY).distinct().from_(own_cells.as_("own_cells")).subquery("d")
    return select(*KEY, "row_number() OVER () - 1 AS key").from_(distinct)


def pairs(single_pairs: Relation, persons: Relation, ids: Sequence[str]) -> exp.Select:
    """Everybody's secret associations with what they have in the group."""
    query = select(*of("a", *ids, "v"), *of("persons", *OWN)).from_(single_pairs.as_("a"))
    return query.join(persons.as_("persons"), on=same(ids, "a", "persons"))


def answers(
    own_cells: Relation, keys: Relation, own_answers: Relation, answers: Relation, by_cell: Sequence[str],
    by_own: Sequence[str],
) -> exp.Select:  # fmt: skip
    """Every cell of everybody who is alike, with all adversaries: those whom the cell decides, and the others."""
    cell = of("answers", *fields_of(*by_cell))
    query = select(*of("o", *OWN, "v", "s", "everybody"), *cell, *of("own_answers", *fields_of(*by_own)))
    query = query.from_(own_cells.as_("o"))
    query = query.join(keys.as_("keys"), on=same(KEY, "o", "keys"))
    query = query.join(own_answers.as_("own_answers"), on="keys.key = own_answers.key")
    return query.join(answers.as_("answers"), on="o.g = answers.g AND o.v = answers.v")


def wide(people: Relation, answers: Relation, ids: Sequence[str], fields: Sequence[str], *, values: bool) -> exp.Select:
    """One row for each association, adversaries side by side; `people` name values, or have all of their group."""
    query = select(*of("people", *ids), *of("answers", "v", *fields)).from_(people.as_("people"))
    on = " AND ".join(f"people.{name} = answers.{name}" for name in (*OWN, "v")[: 4 if values else 3])
    return query.join(answers.as_("answers"), on=on)
