"""Columns as small whole numbers, in the order of their values: what compiled loops work on.

The user's names enter in `cells` and `counted` alone; after `cells` columns are x0, x1, … as text, in the rows' own
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import DOUBLE, try_cast
from deniable.engines.scope import Relation
from deniable.sql.build import column, select, text_of


def cells(source: Relation, columns: Mapping[int, str], row: str = "") -> exp.Select:
    """The columns as text, x0 and so on by their places, and the number of the row where rows have one."""
    chosen: list[exp.Expr] = [text_of(name, f"x{i}") for i, name in columns.items()]
    numbers = [exp.alias_(column(row), "row")] if row else []
    return exp.select(*chosen, *numbers).from_(source.as_("file"))


def values(i: int, sources: Sequence[Relation]) -> exp.Select:
    """The different values of column i in some relations, numbered in order: numbers by size, else as text."""
    parts = [select(f"x{i} AS x").from_(source.as_("cells")) for source in sources]
    both: exp.Query = parts[0] if len(parts) == 1 else exp.union(*parts, distinct=False)
    size = exp.alias_(try_cast(exp.column("x"), DOUBLE), "size")
    distinct = select("x", size).distinct().from_(both.subquery("b")).subquery("d")
    is_number = "bool_and(size IS NOT NULL OR x IS NULL) OVER () AS is_number"
    sized = select("x", "size", is_number).from_(distinct).subquery("s")
    order = "row_number() OVER (ORDER BY CASE WHEN is_number THEN size END NULLS LAST, x NULLS LAST) - 1 AS code"
    return select("x", "size", "is_number", order).from_(sized)


def codes(source: Relation, columns: Mapping[int, Relation], *, ordered: bool) -> exp.Select:
    """Every row as codes c0, c1, …, of which `columns` has the values."""
    query = select(*(f"codes{i}.code AS c{i}" for i in columns)).from_(source.as_("cells"))
    for i, coded in columns.items():
        on = exp.NullSafeEQ(this=exp.column(f"x{i}", "cells"), expression=exp.column("x", f"codes{i}"))
        query = query.join(coded.as_(f"codes{i}"), on=on)
    return query.order_by("cells.row") if ordered else query


def named(codes: Relation) -> exp.Select:
    """The values of a column by code."""
    return select("x", "is_number").from_(codes.as_("codes")).order_by("code")


def counted(source: Relation, columns: Sequence[str]) -> exp.Select:
    """The different rows of some columns as text, t0 and so on, and how often each is there."""
    chosen = [text_of(name, f"t{k}") for k, name in enumerate(columns)]
    keys = [exp.column(f"t{k}") for k in range(len(columns))]
    rows = exp.select(*chosen).from_(source.as_("file")).subquery("r")
    return exp.select(*keys, exp.alias_(exp.Count(this=exp.Star()), "n")).from_(rows).group_by(*keys)
