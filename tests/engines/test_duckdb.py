"""The embedded engine: what it accepts as a table, what it leaves behind, what its errors say."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import sqlglot
from sqlglot import exp

import deniable
from deniable.engines import duckdb as duckdb_engine
from deniable.engines import open_engine
from deniable.engines.duckdb import DuckDBEngine
from deniable.errors import BadInput, EngineError, UnfitQuery

pytestmark = pytest.mark.usefixtures("sealed")

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
    """An engine with a database of its own, whose scratch folder must hold no row when the engine is closed."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.setattr("deniable.engines.duckdb._DATABASES", {})
    opened = DuckDBEngine()
    (own,) = scratch.iterdir()
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    yield opened
    opened.close()
    assert spilled(own) < 1000  # a file that says whose the folder is


def spilled(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*"))


@pytest.fixture
def cramped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(duckdb_engine._SETTINGS, "memory_limit", "30MB")


def test_what_is_spilled_goes_with_the_engine(cramped: None, engine: DuckDBEngine, tmp_path: Path) -> None:
    numbers = "SELECT md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(1000000)"
    engine.store("t", sqlglot.parse_one(numbers, dialect="duckdb"))  # type: ignore[arg-type]
    (own,) = (tmp_path / "scratch").iterdir()
    assert spilled(own) > 10_000_000


def test_a_process_leaves_nothing_behind(tmp_path: Path) -> None:
    script = "from deniable.engines import open_engine; import os; e = open_engine(); print(os.listdir())"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert "deniable-" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_forked_process_has_a_database_of_its_own(engine: DuckDBEngine) -> None:
    engine.put("t", pa.table({"x": [1]}))
    child = os.fork()
    if not child:
        try:
            own = DuckDBEngine()
            own.put("t", pa.table({"x": [2]}))
            os._exit(0 if own.fetch(exp.select("x").from_("t")).to_pydict() == {"x": [2]} else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.fetch(exp.select("x").from_("t")).to_pydict() == {"x": [1]}


def test_engines_do_not_see_each_other(engine: DuckDBEngine, tmp_path: Path) -> None:
    other = DuckDBEngine()
    (tmp_path / "a.csv").write_text("name\nann\n")
    pa.parquet.write_table(pa.table({"name": ["bob"]}), tmp_path / "b.parquet")
    for mine, file, wanted in ((engine, "a.csv", "ann"), (other, "b.parquet", "bob"), (engine, "a.csv", "ann")):
        mine.attach(file, "t", text=["name"], types={}, folder=tmp_path)
        mine.store("u", exp.select("*").from_("t"))
        assert mine.fetch(exp.select("*").from_("u")).to_pydict() == {"name": [wanted]}
    assert engine.fetch(exp.select("*").from_("u")).to_pydict() == {"name": ["ann"]}
    other.close()
    assert DuckDBEngine()._connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]


def test_a_database_that_failed_is_replaced(engine: DuckDBEngine) -> None:
    next(iter(duckdb_engine._DATABASES.values())).connection.close()
    other = DuckDBEngine()
    assert other.fetch(exp.select("1 AS x")).to_pydict() == {"x": [1]}
    other.close()


def attach(engine: DuckDBEngine, table: Any, **types: str) -> dict[str, str]:
    columns = engine.attach(table, "t", text=["name"], types=types, folder=Path())
    return {name: column.sql for name, column in columns.items()}


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
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


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
    with pytest.raises(BadInput, match="engine: expected duckdb"):
        open_engine("sqlite")


@pytest.mark.parametrize(
    ("name", "rows", "is_short"), [("t.csv", 5, True), ("t.csv", 60_000, False), ("t.parquet", 5, False)]
)
def test_a_few_lines_of_text_are_read_by_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, rows: int, is_short: bool
) -> None:
    """A packed file may hold any number of rows."""
    monkeypatch.delitem(duckdb_engine._SETTINGS, "threads", raising=False)  # which tests have for all of their tables
    duckdb.sql(f"COPY (SELECT i AS a FROM range({rows}) t(i)) TO '{tmp_path / name}'")
    engine = DuckDBEngine([str(tmp_path / name)])
    threads = engine._connection.sql("SELECT current_setting('threads')").fetchall()
    usual = duckdb.connect().sql("SELECT current_setting('threads')").fetchall()
    engine.close()
    assert threads == ([(1,)] if is_short else usual)
