"""What the columns of a table look like, counted: never a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import TEXT, ColumnType, same
from deniable.engines.scope import Relation
from deniable.sql.build import column, listed, select

# Of the different cells of a column, each with the number `n` of rows that have it.
_OF_ALL = (
    "CAST(sum(n) AS BIGINT) AS rows",
    "CAST(coalesce(sum(n) FILTER (WHERE cell IS NULL), 0) AS BIGINT) AS nulls",
    "count(cell) AS different",
    "max(n) AS commonest",
    "coalesce(max(length(cell)), 0) AS longest",
)
_OF_TEXT = {
    "zeros": "coalesce(bool_or(regexp_full_match({cell}, '0[0-9]+')), FALSE)",
    "mail": "coalesce(bool_and(contains({cell}, '@')), FALSE)",
    "commas": (
        "coalesce(bool_and(regexp_full_match({cell}, '-?[0-9]+(,[0-9]+)?')) AND bool_or(contains({cell}, ',')), FALSE)"
    ),
    "dates": "count(DISTINCT TRY_CAST({cell} AS DATE))",
}
_OF_OTHERS = {"zeros": "FALSE", "mail": "FALSE", "commas": "FALSE", "dates": "0"}


def cells(source: Relation, columns: Sequence[str]) -> exp.Select:
    """These columns of a table."""
    return exp.select(*map(column, columns), copy=False).from_(source.as_("source"), copy=False)


def rows(source: Relation) -> exp.Select:
    """How many rows a table has."""
    return select("count(*) AS rows").from_(source.as_("source"))


def facts(source: Relation, columns: Mapping[str, ColumnType]) -> exp.Query:
    """For each column, by its `place`: how many rows there are and have no cell, how many different cells there are,
    how many rows have the commonest, how long the longest is, and in how many rows the column's own name stands
    (`named`). Of text also: whether codes begin with zeros, all have an @, all are numbers of which some have a decimal
    comma; and how many different dates can be read in it.

    Every column is grouped once, and whatever is asked of text is asked of each different cell once.
    """
    one, *others = (_of_column(source, place, name, kind) for place, (name, kind) in enumerate(columns.items()))
    return exp.union(one, *others, distinct=False, copy=False) if others else one


def facts_of_many(source: Relation, columns: Sequence[str], named: Relation) -> exp.Select:
    """The same of many columns of few rows: their cells stand below each other, as text, and are grouped at once.

    `named` has the `name` of each `place`, and whether the column `is_text`. Of many rows a column that is no text is
    counted faster as it is.
    """
    cells = listed(source, (exp.cast(column(name), TEXT.sql, copy=False) for name in columns))
    counted = select("place", "cell", "count(*) AS n").from_(cells, copy=False).group_by("place", "cell", copy=False)
    word = "CASE WHEN is_text THEN cell END AS word"
    beside = select("counted.place AS place", "cell", "n", "name", word).from_(counted.subquery("counted", copy=False))
    beside = beside.join(named.as_("named"), on=same(["place"], "counted", "named"))
    told = [f"{what.format(cell='word')} AS {alias}" for alias, what in _OF_TEXT.items()]
    has_name = "CAST(coalesce(sum(n) FILTER (WHERE cell = name), 0) AS BIGINT) AS named"
    return select("place", *_OF_ALL, *told, has_name).from_(beside.subquery("listed")).group_by("place")


def _of_column(source: Relation, place: int, name: str, kind: ColumnType) -> exp.Select:
    cells = exp.select(exp.alias_(column(name), "value"), exp.alias_(exp.Count(this=exp.Star()), "n"))
    grouped = cells.from_(source.as_("source")).group_by(column(name)).subquery("grouped")
    text = exp.column("value") if kind.is_text else exp.cast(exp.column("value"), TEXT.sql)
    listed = exp.select(exp.alias_(text, "cell"), "n").from_(grouped).subquery("listed")
    is_name = exp.EQ(this=exp.column("cell"), expression=exp.Literal.string(name))
    has_it = exp.Filter(this=exp.Sum(this=exp.column("n")), expression=exp.Where(this=is_name))
    named = exp.alias_(exp.cast(exp.func("coalesce", has_it, exp.Literal.number(0)), "BIGINT"), "named")
    asked = _OF_TEXT if kind.is_text else _OF_OTHERS
    told = [f"{what.format(cell='cell')} AS {alias}" for alias, what in asked.items()]
    return select(f"{place} AS place", *_OF_ALL, *told, named).from_(listed)
