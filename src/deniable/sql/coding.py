"""Columns as small whole numbers, in the order of their values: what compiled loops work on.

The user's names enter in `cells` alone; after it columns are x0, x1, … as text, in the rows' own order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.sql.build import column, of, select, text_of


def cells(source: str, columns: Mapping[int, str], row: str = "") -> exp.Select:
    """The columns as text, x0 and so on by their places, and the number of the row where rows have one."""
    chosen: list[exp.Expr] = [text_of(name, f"x{i}") for i, name in columns.items()]
    numbers = [exp.alias_(column(row), "row")] if row else []
    return exp.select(*chosen, *numbers).from_(source)


def values(i: int, sources: Sequence[str]) -> exp.Select:
    """The different values of column i in some relations, numbered in order: numbers by size, else as text."""
    parts = [select(f"x{i} AS x").from_(source) for source in sources]
    both: exp.Query = parts[0] if len(parts) == 1 else exp.union(*parts, distinct=False)
    distinct = select("x", "TRY_CAST(x AS DOUBLE) AS size").distinct().from_(both.subquery("b")).subquery("d")
    is_number = "bool_and(size IS NOT NULL OR x IS NULL) OVER () AS is_number"
    sized = select("x", "size", is_number).from_(distinct).subquery("s")
    order = "row_number() OVER (ORDER BY CASE WHEN is_number THEN size END NULLS LAST, x NULLS LAST) - 1 AS code"
    return select("x", "size", "is_number", order).from_(sized)


def codes(source: str, columns: Sequence[int], *, ordered: bool) -> exp.Select:
    """Every row as codes c0, c1, …; `codes<i>` holds the values of column i."""
    query = select(*(f"codes{i}.code AS c{i}" for i in columns)).from_(source)
    for i in columns:
        on = exp.NullSafeEQ(this=exp.column(f"x{i}", source), expression=exp.column("x", f"codes{i}"))
        query = query.join(f"codes{i}", on=on)
    return query.order_by(*of(source, "row")) if ordered else query


def named(i: int) -> exp.Select:
    """The values of column i by code."""
    return select("x", "is_number").from_(f"codes{i}").order_by("code")
