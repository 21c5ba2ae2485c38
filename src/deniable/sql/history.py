"""The queries of re-publication: the table's cells as text, under names of our own."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.sql.build import column, select, text_of


def cells(source: str, row: str, identifier: Sequence[str], quasi: Sequence[str], private: str) -> exp.Select:
    """row, i0…, q0… and x."""
    named = [
        *((f"i{k}", name) for k, name in enumerate(identifier)),
        *((f"q{k}", name) for k, name in enumerate(quasi)),
    ]
    texts = [text_of(name, alias) for alias, name in [*named, ("x", private)]]
    return exp.select(exp.alias_(column(row), "row"), *texts).from_(source)


def ordered(source: str) -> exp.Select:
    """Everything, in the order of the rows."""
    return select("*").from_(source).order_by("row")


def doubled(source: str, identifier: int) -> exp.Select:
    """How many identifiers there are more than once."""
    keys = [f"i{k}" for k in range(identifier)]
    several = select(*keys, "count(*) AS often").from_(source).group_by(*keys).having("count(*) > 1").subquery("d")
    return select("count(*) AS people").from_(several)


def counted(source: str, columns: Sequence[str]) -> exp.Select:
    """The different rows of some columns as text, t0 and so on, and how often each is there."""
    chosen = [text_of(name, f"t{k}") for k, name in enumerate(columns)]
    keys = [exp.column(f"t{k}") for k in range(len(columns))]
    rows = exp.select(*chosen).from_(source).subquery("r")
    return exp.select(*keys, exp.alias_(exp.Count(this=exp.Star()), "n")).from_(rows).group_by(*keys)


def texts(source: str, columns: Sequence[str]) -> exp.Select:
    """Columns of a file as text, t0 and so on, each different row once."""
    chosen = [text_of(name, f"t{k}") for k, name in enumerate(columns)]
    return exp.select(*chosen).distinct().from_(source)
