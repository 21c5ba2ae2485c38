"""The embedded engine: what it accepts as a table, what it leaves behind, what its errors say."""

from __future__ import annotations

import gc
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pytest
from sqlglot import exp

import deniable
from deniable.engines import open_engine
from deniable.engines.duckdb import DuckDBEngine
from deniable.errors import BadInput, EngineError, UnfitQuery

CELLS = {"name": ["ann", "bob", None], "age": [30, 30, 31], "problem": ["Flu", "SECRETCELL", None]}
TABLES: dict[str, Callable[[], Any]] = {
    "arrow": lambda: pa.table(CELLS),
    "batch": lambda: pa.record_batch(CELLS),
    "reader": lambda: pa.table(CELLS).to_reader(),
    "pandas": lambda: pd.DataFrame(CELLS),
    "polars": lambda: pl.DataFrame(CELLS),
    "relation": lambda: duckdb.connect().from_arrow(pa.table(CELLS)),
}


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DuckDBEngine]:
    """An engine whose scratch folder must be gone when it is closed."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    opened = DuckDBEngine()
    (own,) = scratch.iterdir()
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    yield opened
    opened.close()
    assert list(scratch.iterdir()) == []


def test_an_engine_that_is_dropped_cleans_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    engine = DuckDBEngine()
    assert len(list(tmp_path.iterdir())) == 1
    del engine
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def attach(engine: DuckDBEngine, table: Any, **types: str) -> dict[str, str]:
    return engine.attach(table, "t", text=["name"], types=types, folder=Path())


@pytest.mark.parametrize("kind", TABLES)
def test_tables_in_memory(kind: str, engine: DuckDBEngine) -> None:
    columns = attach(engine, TABLES[kind]())
    assert list(columns) == ["name", "age", "problem"]
    query = exp.select("*").from_("t").order_by("name NULLS LAST")
    for _ in range(2):  # a reader can be read once, a table any number of times
        assert engine.fetch(query).to_pydict() == CELLS


@pytest.mark.parametrize("kind", TABLES)
def test_releases_in_memory(kind: str) -> None:
    release = deniable.Release(
        table=TABLES[kind](),
        identifier="name",
        private="problem",
        views={"a": "SELECT name, age FROM t", "b": "SELECT age, problem FROM t"},
    )
    result = deniable.breach(release)
    rows = {(row["name"], row["problem"], row["adversary"]): row["probability"] for row in result.table.to_pylist()}
    result.close()
    assert rows["bob", "SECRETCELL", "unrestricted"] == 5 / 7
    assert rows[None, None, "unrestricted"] == 1


@pytest.mark.parametrize("table", [42, object(), ["ann"]], ids=["number", "object", "list"])
def test_what_is_no_table(table: object, engine: DuckDBEngine) -> None:
    with pytest.raises(BadInput, match="expected a frame, an Arrow table or a DuckDB relation; found something else"):
        attach(engine, table)


def test_types_of_tables_in_memory(engine: DuckDBEngine) -> None:
    assert attach(engine, pa.table(CELLS), age="text")["age"] == "VARCHAR"
    with pytest.raises(BadInput) as wrong:
        attach(engine, pa.table(CELLS), problem="date")
    assert str(wrong.value) == "types.problem: expected date in t; found 2 cells that are not"


def test_python_mistakes_name_the_key() -> None:
    release = deniable.Release(
        table=pa.table(CELLS),
        identifier="nmae",
        private="problem",
        views={"a": "SELECT name, agee FROM t", "b": "SELECT age, problem FROM t"},
    )
    with pytest.raises(BadInput) as wrong:
        deniable.check(release)
    told = str(wrong.value)
    assert told.startswith("identifier: unknown column nmae (did you mean name?); expected one of name, age, problem\n")
    assert "views.a: view a: unknown column agee (did you mean age?)" in told


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_save_leaves_all_or_nothing(name: str, engine: DuckDBEngine, tmp_path: Path) -> None:
    attach(engine, pa.table(CELLS))
    folder = tmp_path / "results"
    folder.mkdir()
    out = folder / name
    out.write_text("before")
    broken = exp.select("CAST(problem AS INT) AS n").from_("t")
    with pytest.raises(EngineError) as failed:
        engine.save(broken, out)
    assert "SECRETCELL" not in str(failed.value)
    assert out.read_text() == "before"
    engine.save(exp.select("*").from_("t"), out)
    assert list(folder.iterdir()) == [out]
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(
    "condition",
    ["problem = TRUE", "CAST(problem AS DATE) > CURRENT_DATE", "age > problem", "problem + 1 > 1", "nothing = 1"],
)
def test_a_query_that_does_not_fit_quotes_no_cell(condition: str, engine: DuckDBEngine) -> None:
    attach(engine, pa.table(CELLS))
    with pytest.raises(UnfitQuery) as failed:
        engine.fetch(exp.select(exp.LogicalOr(this=exp.condition(condition))).from_("t"))
    assert "SECRETCELL" not in str(failed.value)
    assert len(str(failed.value).splitlines()) == 1


def test_engines() -> None:
    opened = open_engine()
    assert isinstance(opened, DuckDBEngine)
    opened.close()
    with pytest.raises(BadInput, match="--engine: expected duckdb"):
        open_engine("sqlite")
