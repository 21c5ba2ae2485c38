"""Small words that every query is built from; always trees, never text with names in it.

The user's own names and constants enter a query in one place only: `narrowed`, which
renames the columns by role. Everything after it speaks of i0, j0, y0, x0, p and s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from deniable.engines.dialect import OURS, TEXT, fragment
from deniable.engines.scope import Relation

_PLAIN = re.compile(r"(?:([a-z][a-z0-9_]*)\.)?([a-z][a-z0-9_]*)(?: AS ([a-z][a-z0-9_]*))?")  # groups.j0 AS j1
_CONSTANTS = ("true", "false", "null")
BIGINT = exp.DataType.Type.BIGINT  # as a word, it would be parsed each time


def column(name: str, table: str | None = None) -> exp.Column:
    """A quoted column, so that no name is ever taken for a keyword."""
    return exp.column(name, table=table, quoted=True)


def text_of(name: str, alias: str) -> exp.Expr:
    """A column of the user's as text, under a name of ours."""
    return exp.alias_(exp.cast(column(name), TEXT.sql), alias)


def numbered(letter: str, count: int) -> list[str]:
    """j0, j1, …: the columns of one role."""
    return [f"{letter}{i}" for i in range(count)]


def narrowed(
    source: Relation,
    roles: Mapping[str, Sequence[str]],
    condition: exp.Expr | None,
    secret: exp.Expr | None,
    text: Sequence[str],
) -> exp.Select:
    """The rows that the views are made from, with columns renamed by role.

    `roles` maps a letter to the user's columns; no column at all becomes the constant 0
    (views without a common column have one join group: everything). `s` says whether
    the row's association is secret. Columns in `text` are compared as text.
    """
    chosen: list[exp.Expr] = []
    for letter, names in roles.items():
        cells: list[exp.Expr] = [column(name) for name in names]
        for i, cell in enumerate(cells or [exp.Literal.number(0)]):
            chosen.append(exp.alias_(cell, f"{letter}{i}"))
    if secret is not None:
        holds = exp.func("coalesce", exp.paren(as_text(secret, text)), exp.false())
        chosen.append(exp.alias_(holds, "s"))
    else:
        chosen.append(exp.alias_(exp.true(), "s"))
    query = exp.select(*chosen).from_(source.as_("source"))
    return query.where(as_text(condition, text)) if condition is not None else query


def as_text(tree: exp.Expr, columns: Sequence[str]) -> exp.Expr:
    """The condition with these columns read as text (identifiers always are)."""

    def cast(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.name in columns:
            return exp.cast(node.copy(), TEXT.sql)
        return node

    return tree.copy().transform(cast)


def select(*items: str | exp.Expr) -> exp.Select:
    """SELECT of columns and fragments in our own words; plain names need no parser."""
    return exp.select(*map(_plain, items), dialect=OURS, copy=False)


def _plain(item: str | exp.Expr) -> exp.Expr:
    """A column as a tree, or what else was written."""
    if not isinstance(item, str):
        return item
    found = _PLAIN.fullmatch(item)
    if found is None or found[2] in _CONSTANTS:
        return fragment(item)
    cell = exp.column(found[2], found[1])
    return exp.alias_(cell, found[3]) if found[3] else cell


def listed(source: Relation, columns: Iterable[exp.Expr]) -> exp.Subquery:
    """Columns of a table below each other: each `cell`, and the `place` of its column."""
    cells = list(columns)
    places = exp.Array(expressions=[exp.Literal.number(i) for i in range(len(cells))])
    both = ((exp.Array(expressions=cells), "cell"), (places, "place"))
    below = [exp.alias_(exp.Explode(this=array), name, copy=False) for array, name in both]
    return exp.select(*below, copy=False).from_(source.as_("source"), copy=False).subquery("listed", copy=False)


def ordinal(name: str, *columns: str) -> str:
    """Numbers from 0 in the order of these columns as text: the same wherever the table comes from, in whatever order.

    Intervals depend on the order in which things are added and multiplied.
    """
    keys = ", ".join(f"CAST({column} AS {TEXT.sql}) NULLS LAST" for column in columns)
    return f"CAST(row_number() OVER (ORDER BY {keys}) - 1 AS INT) AS {name}"


def of(table: str, *names: str) -> list[str]:
    """table.name for each name."""
    return [f"{table}.{name}" for name in names]


def number(value: Any) -> exp.Expr:
    """A constant of ours."""
    return exp.convert(value)
