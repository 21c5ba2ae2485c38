"""Queries that a person can read: the text of each stands in `golden/<module>/<query>.sql`, and each is executed.

A test of a module lists cases, one or more for each query that the module builds:

    GROUPS, ROWS = Relation("groups"), Relation("rows")
    CASES = [
        Golden(
            "settled",  # the function, or the function and what is special: "cells-few"
            two_views.settled(ROWS, GROUPS, ["i0"], ["j0"]),
            {ROWS: table("i0 j0", "ann 1", "bob 2"), GROUPS: table("j0 g", "1 0", "2 1")},
            table("i0 g", "ann 0", "bob 1"),
        ),
    ]

    @pytest.mark.parametrize("case", CASES, ids=str)
    def test_queries(case: Golden) -> None:
        case.check(two_views)

    def test_every_query_is_here() -> None:
        assert uncovered(two_views, CASES) == []

With DENIABLE_UPDATE_GOLDEN=1 the files are written instead of compared: read the difference before committing it.
"""

from __future__ import annotations

import inspect
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
from sqlglot import exp

from deniable.engines import opened
from deniable.engines.base import Engine
from deniable.engines.dialect import OURS
from deniable.engines.scope import Relation

FOLDER = Path(__file__).parent / "golden"
UPDATE = bool(os.environ.get("DENIABLE_UPDATE_GOLDEN"))
QUERIES = ("exp.Select", "exp.Query", "exp.Union")  # what a function that builds a query says that it returns
_TYPES = {"text": pa.string(), "int": pa.int32(), "long": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
_WORDS = {"null": None, "true": True, "false": False}


def table(header: str, *lines: str) -> pa.Table:
    """A table as text: names in the header, cells in the lines, all parted by spaces ('two words' are quoted).

    null, true, false and numbers are what they look like; `name:text` (int, long, float, bool) gives a column its type.
    """
    names = header.split()
    rows = [shlex.split(line) for line in lines]
    assert all(len(row) == len(names) for row in rows), "a line with more or fewer cells than the header"
    columns = {}
    for i, name in enumerate(names):
        plain, _, kind = name.partition(":")
        cells = [_cell(row[i], kind) for row in rows]
        columns[plain] = pa.array(cells, _TYPES[kind] if kind else None)
    return pa.table(columns)


def _cell(text: str, kind: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if kind == "text":
        return text
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True)
class Golden:
    """A query, the relations that it reads, and what it must answer.

    The rows of a query without ORDER BY are compared in any order. `numbers` are columns that number rows in an order
    that the engine chooses: they must hold the same numbers, on whichever rows.
    """

    name: str
    query: exp.Query
    reads: Mapping[Relation, pa.Table]
    answer: pa.Table
    numbers: Sequence[str] = field(default=())

    def __str__(self) -> str:
        return self.name

    def check(self, module: ModuleType) -> None:
        """Compare the text, then execute the query and compare the answer."""
        self.compare(FOLDER / module.__name__.rpartition(".")[2] / f"{self.name}.sql")
        with opened() as engine:
            self.asked_of(engine)

    def asked_of(self, engine: Engine, suffix: str = "") -> None:
        """Execute the query and compare the answer; relations get a suffix, for those who ask one engine often."""
        names = {relation.name: f"{relation.name}{suffix}" for relation in self.reads}
        for relation, rows in self.reads.items():
            engine.put(names[relation.name], rows)
        query = self.query.copy()
        for table in query.find_all(exp.Table):
            table.set("this", exp.to_identifier(names.get(table.name, table.name)))
        found = engine.fetch(query)
        assert found.column_names == self.answer.column_names
        for name in self.numbers:
            assert sorted(found.column(name).to_pylist()) == sorted(self.answer.column(name).to_pylist())
        ordered = self.query.args.get("order") is not None
        assert self._rows(found, ordered) == self._rows(self.answer, ordered)

    def compare(self, path: Path) -> None:
        """The query's text beside the file's."""
        text = self.query.sql(dialect=OURS, pretty=True) + "\n"
        if UPDATE:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no {path.name}: write it with DENIABLE_UPDATE_GOLDEN=1"
        assert path.read_text(encoding="utf-8") == text

    def _rows(self, answer: pa.Table, ordered: bool) -> list[dict[str, Any]]:
        rows = answer.drop_columns(list(self.numbers)).to_pylist()
        rows = [{name: _about(cell) for name, cell in row.items()} for row in rows]
        return rows if ordered else sorted(rows, key=str)


def _about(cell: Any) -> Any:
    """A number without the last digits, which the order of a sum decides."""
    return float(f"{cell:.12g}") if isinstance(cell, float) else cell


def builders(module: ModuleType) -> set[str]:
    """The names of the functions of a module that build queries."""
    return {
        name
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and function.__annotations__.get("return") in QUERIES
    }


def uncovered(module: ModuleType, cases: Iterable[Golden], *parts: str) -> list[str]:
    """Queries that the module builds and no case has, `parts` of queries aside; golden files that nobody compares."""
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "two cases of one name"
    missing = builders(module) - set(parts) - {name.partition("-")[0] for name in names}
    folder = FOLDER / module.__name__.rpartition(".")[2]
    left_over = {path.stem for path in folder.glob("*.sql")} - set(names)
    return sorted(missing | left_over)
