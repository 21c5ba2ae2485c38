"""Columns of the table as arrays of codes, and back: how rows reach compiled code, and how they leave it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.arrow import column_ints
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import coding
from deniable.worlds.arrays import Int32s


@frozen
class Column:
    """The different values of a column, in order; a code is a place in `values`."""

    name: str
    values: tuple[str | None, ...]
    is_number: bool


@frozen
class Source:
    """Something with rows that has some of the columns to code; `row` numbers its rows, where their order matters."""

    relation: Relation
    columns: Sequence[str]
    row: str = ""


@frozen(eq=False)
class CodedRows:
    """The rows of a source: one array of codes for each column that it has; in the engine, its cells as text."""

    arrays: list[Int32s]
    cells: Relation  # x0, x1, … by the column's place, and row


@frozen(eq=False)
class Coded:
    """Some columns, coded alike in every source that has them."""

    columns: tuple[Column, ...]
    codes: tuple[Relation, ...]  # by column: its values in the engine (x, code)
    rows: tuple[CodedRows, ...]  # by source


def encode(scope: Scope, columns: Sequence[str], sources: Sequence[Source]) -> Coded:
    """Code the columns alike in every source that has them."""
    has = [{i: name for i, name in enumerate(columns) if name in source.columns} for source in sources]
    cells = [
        scope.store("cells", coding.cells(source.relation, mine, source.row))
        for source, mine in zip(sources, has, strict=True)
    ]
    found, codes = [], []
    for i, name in enumerate(columns):
        holders = [one for one, mine in zip(cells, has, strict=True) if i in mine]
        codes.append(scope.store("codes", coding.values(i, holders)))
        rows = scope.fetch(coding.named(codes[i])).to_pylist()
        found.append(Column(name, tuple(r["x"] for r in rows), bool(rows) and bool(rows[0]["is_number"])))
    coded = []
    for source, mine, texts in zip(sources, has, cells, strict=True):
        table = scope.fetch(coding.codes(texts, {i: codes[i] for i in mine}, ordered=bool(source.row)))
        coded.append(CodedRows([column_ints(table, f"c{i}").astype(np.int32) for i in mine], texts))
    return Coded(tuple(found), tuple(codes), tuple(coded))
