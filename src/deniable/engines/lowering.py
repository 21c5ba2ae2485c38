"""How our trees become those of a database: rewrites, each of one kind of node, in the database's own words.

A rewrite takes a node and gives another. What it puts there is parsed once from the database's own text, in which `x`
and `y` stand for parts of ours; no text of a query is ever pasted together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import sqlglot
from sqlglot import exp

Rewrite = Callable[[exp.Expr], exp.Expr]


@cache
def _parsed(sql: str, dialect: str) -> exp.Expr:
    tree: exp.Expr = sqlglot.parse_one(sql, dialect=dialect)
    return tree


def fragment(sql: str, dialect: str, **parts: exp.Expr) -> exp.Expr:
    """A database's text as a tree, with trees in the place of some of its names."""

    def fill(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table and node.name in parts:
            return exp.paren(parts[node.name].copy(), copy=False)
        return node

    return _parsed(sql, dialect).copy().transform(fill, copy=False)


def lowered(query: exp.Query, rewrites: Mapping[type[exp.Expr], Rewrite]) -> exp.Query:
    """One of our queries as a database reads it."""
    return rewritten(query.copy(), rewrites)


def rewritten(tree: exp.Query, rewrites: Mapping[type[exp.Expr], Rewrite]) -> exp.Query:
    """A tree of the caller's own, changed: what is inside of something is rewritten before it."""
    for node in reversed(list(tree.walk(bfs=True))):
        rewrite = rewrites.get(type(node))
        made = rewrite(node) if rewrite else node
        if made is not node:
            node.replace(made)
    return tree


def numbered(node: exp.Expr) -> exp.Expr:
    """Rows that are numbered in no order: in that of what stands beside the number, so that they are numbered alike
    however often."""
    if not isinstance(node.this, exp.RowNumber) or node.args.get("order") or node.args.get("partition_by"):
        return node
    select = node.find_ancestor(exp.Select)
    beside = [one.unalias() for one in select.expressions if not one.find(exp.Window)] if select else []
    if not beside or any(one.is_star or one.find(exp.AggFunc, exp.Literal) for one in beside):
        group = select.args.get("group") if select else None
        beside = list(group.expressions) if group else []
    keys = [exp.Ordered(this=one.copy(), nulls_first=False) for one in beside]
    if keys:
        node.set("order", exp.Order(expressions=keys))
    return node
