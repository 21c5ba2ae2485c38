"""Types that a release asks for, of a table that an engine has already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sqlglot import exp

from deniable.engines.dialect import TEXT, ColumnType, try_cast
from deniable.engines.tables import SQL_TYPES
from deniable.errors import BadInput, Mistake

if TYPE_CHECKING:
    import pyarrow as pa


def as_asked(cell: exp.Expr, kind: ColumnType | None) -> exp.Expr:
    """A cell in a type that was asked for: as it is, if that is the type it has."""
    if kind is None:
        return cell
    return exp.cast(cell, TEXT.sql) if kind.is_text else try_cast(cell, kind)


def insist_types(
    fetch: Callable[[exp.Query], pa.Table], title: str, source: str, wanted: Mapping[str, ColumnType]
) -> None:
    """That all cells fit the types that were asked for. Raises BadInput that says how many do not."""
    mistakes = []
    for column, kind in wanted.items():
        if kind.is_text:
            continue
        cell = exp.column(column, quoted=True)
        lost = exp.and_(
            exp.Not(this=exp.Is(this=cell, expression=exp.Null())),
            exp.Is(this=as_asked(cell.copy(), kind), expression=exp.Null()),
        )
        query = exp.select(exp.alias_(exp.Count(this=exp.Star()), "n")).from_(exp.to_table(source)).where(lost)
        (told,) = fetch(query).to_pylist()
        if told["n"]:
            word = next(word for word, sql in SQL_TYPES.items() if sql == kind.sql)
            are = "cell that is" if told["n"] == 1 else "cells that are"
            what = f"expected {word} in {title}; found {told['n']:,} {are} not"
            mistakes.append(Mistake(f"types.{column}", what))
    if mistakes:
        raise BadInput(mistakes)
