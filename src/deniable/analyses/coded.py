"""Columns of the table as arrays of codes, and back: how rows reach compiled code, and how they leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable.arrow import column_ints
from deniable.engines.base import Engine
from deniable.sql import coding

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Column:
    """The different values of a column, in order; a code is a place in `values`."""

    name: str
    values: tuple[str | None, ...]
    is_number: bool


@dataclass(frozen=True)
class Coded:
    """Some columns, and one array of codes for each relation that has them."""

    columns: tuple[Column, ...]
    rows: dict[str, list[Ints]]  # by relation: one array for each column


def encode(engine: Engine, columns: Sequence[str], sources: dict[str, Sequence[str]], row: str = "") -> Coded:
    """Code the columns alike in every relation that has them; rows in the order of `row`, where it is given."""
    for source, has in sources.items():
        mine = {i: name for i, name in enumerate(columns) if name in has}
        engine.store(f"{source}_text", coding.cells(source, mine, row))
    found = []
    for i, name in enumerate(columns):
        holders = [f"{source}_text" for source, has in sources.items() if name in has]
        engine.store(f"codes{i}", coding.values(i, holders))
        rows = engine.fetch(coding.named(i)).to_pylist()
        found.append(Column(name, tuple(r["x"] for r in rows), bool(rows) and bool(rows[0]["is_number"])))
    arrays: dict[str, list[Ints]] = {}
    for source, has in sources.items():
        places_of = [i for i, name in enumerate(columns) if name in has]
        table = engine.fetch(coding.codes(f"{source}_text", places_of, ordered=bool(row)))
        arrays[source] = [column_ints(table, f"c{i}").astype(np.int32) for i in places_of]
    return Coded(tuple(found), arrays)
