"""Joins in which a null matches a null, made quick: something of the column's type stands in the place of null.

`a IS NOT DISTINCT FROM b` is a loop over all pairs there. Arrays of one cell can be hashed, whatever is in them
(`postgres_dialect`), but slowly; where the type is known, the cell itself is hashed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

Kinds = Callable[[exp.Expr], Mapping[str, str]]  # of what is read from: the server's word for the type of each column

_INSTEAD = {
    "text": "", "varchar": "", "int2": "0", "int4": "0", "int8": "0", "numeric": "0", "float4": "0", "float8": "0",
    "bool": "false", "date": "2000-01-01", "timestamp": "2000-01-01", "timestamptz": "2000-01-01", "time": "00:00",
}  # fmt: skip


def matched(query: exp.Query, kinds: Kinds) -> exp.Query:
    """A query of the server's with such joins of arrays replaced; it is changed."""
    for join in list(query.find_all(exp.Join)):
        on = join.args.get("on")
        for pair in list(on.find_all(exp.EQ)) if on is not None else ():
            cells = _cells(pair)
            kind = cells and _kind(cells, _sources(join), kinds)
            if cells and kind in _INSTEAD:
                pair.replace(_by_cell(cells, _INSTEAD[kind]))
    return query


def _cells(pair: exp.EQ) -> tuple[exp.Column, exp.Column] | None:
    """The columns of two arrays of one cell each."""
    found = [side.expressions[0] for side in (pair.this, pair.expression)
             if isinstance(side, exp.Array) and len(side.expressions) == 1]  # fmt: skip
    left, right = found if len(found) == 2 else (None, None)
    return (left, right) if isinstance(left, exp.Column) and isinstance(right, exp.Column) else None


def _sources(join: exp.Join) -> dict[str, exp.Expr]:
    """What stands beside each other there, by its name; first what has a name in the database, which is soon asked."""
    select = join.find_ancestor(exp.Select)
    if select is None:
        return {}
    beside = [select.args["from_"].this, *(one.this for one in select.args.get("joins") or ())]
    return {one.alias_or_name: one for one in sorted(beside, key=lambda one: not isinstance(one, exp.Table))}


def _kind(cells: tuple[exp.Column, exp.Column], sources: Mapping[str, exp.Expr], kinds: Kinds) -> str | None:
    """Both have one type: that of either says it."""
    for name, source in sources.items():
        for cell in cells:
            if cell.table == name:
                return kinds(source).get(cell.name)
    return None


def _by_cell(cells: tuple[exp.Column, exp.Column], instead: str) -> exp.Expr:
    filled = [exp.Coalesce(this=cell.copy(), expressions=[exp.Literal.string(instead)]) for cell in cells]
    nulls = [exp.paren(exp.Is(this=cell.copy(), expression=exp.Null())) for cell in cells]
    return exp.and_(exp.EQ(this=filled[0], expression=filled[1]), exp.EQ(this=nulls[0], expression=nulls[1]))
