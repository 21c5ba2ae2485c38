"""An engine reads the files that were named, writes what it is told to, and nothing else, whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlglot
from sqlglot import exp

import deniable
from deniable.engines import open_engine
from deniable.engines.duckdb import DuckDBEngine
from deniable.errors import EngineError
from tests.cli.conftest import Call

pytestmark = pytest.mark.usefixtures("sealed")


@pytest.fixture
def engine(folder: Path) -> Iterator[DuckDBEngine]:
    """One for which `named.csv` and `named.parquet` are named; others stand beside them."""
    for name in ("named", "other"):
        (folder / f"{name}.csv").write_text("a,b\n1,2\n")
        pq.write_table(pa.table({"a": [1], "b": [2]}), folder / f"{name}.parquet")
    opened = DuckDBEngine(["named.csv", str(folder / "named.parquet")])
    yield opened
    opened.close()


QUERIES = [
    "FROM read_csv('{folder}/other.csv')",
    "FROM read_csv('other.csv')",
    "FROM 'other.csv'",
    "FROM '{folder}/other.parquet'",
    "FROM read_parquet(['{folder}/named.parquet', '{folder}/other.parquet'])",
    "FROM read_parquet('{folder}/*.parquet')",
    "FROM read_csv('{folder}/x/../other.csv')",
    "FROM read_csv('{folder}/link.csv')",
    "FROM read_text('/etc/passwd')",
    "FROM read_blob('{folder}/other.csv')",
    "FROM read_json('{folder}/other.json')",
    "FROM sniff_csv('{folder}/other.csv')",
    "FROM parquet_schema('{folder}/other.parquet')",
    "FROM glob('{folder}/*')",
    "FROM read_csv('https://example.org/x.csv')",
    "FROM read_parquet('s3://bucket/x.parquet')",
]
STATEMENTS = [
    "COPY (SELECT 1) TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/named.csv.bak'",
    "EXPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/x.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "SET enable_external_access = true",
    "SET GLOBAL enable_external_access = true",
    "SET allowed_paths = ['{folder}/other.csv']",
    "SET allowed_directories = ['/']",
    "SET allowed_configs = ['threads']",
    "SET lock_configuration = false",
    "SET autoinstall_known_extensions = true",
    "SET autoload_known_extensions = true",
    "SET temp_directory = '{folder}'",
    "RESET lock_configuration",
    "CREATE PERSISTENT SECRET s (TYPE http)",
    "PRAGMA enable_profiling = 'json'; PRAGMA profiling_output = '{folder}/out.json'",
]


@pytest.mark.parametrize("query", QUERIES)
def test_no_other_file_is_read(query: str, engine: DuckDBEngine, folder: Path) -> None:
    (folder / "link.csv").symlink_to("other.csv")
    (folder / "x").mkdir()
    asked = query.format(folder=folder)
    with pytest.raises(duckdb.Error):
        engine._connection.sql(asked).fetchall()
    tree = sqlglot.parse_one(f"SELECT * {asked}", dialect="duckdb")
    assert isinstance(tree, exp.Query)
    for ask in (engine.fetch, lambda tree: engine.store("v", tree), lambda tree: engine.save(tree, folder / "out.csv")):
        with pytest.raises(EngineError):
            ask(tree)
    assert not (folder / "out.csv").exists()


@pytest.mark.parametrize("statement", STATEMENTS)
def test_nothing_else_is_written_loaded_or_changed(statement: str, engine: DuckDBEngine, folder: Path) -> None:
    before = sorted(folder.iterdir())
    with pytest.raises(duckdb.Error):
        engine._connection.execute(statement.format(folder=folder))
    assert sorted(folder.iterdir()) == before


def test_what_was_named_is_read_and_what_is_told_is_written(engine: DuckDBEngine, folder: Path) -> None:
    for ending in ("csv", "parquet"):
        engine.attach(f"named.{ending}", ending, text=(), types={}, folder=folder)
        engine.save(exp.select("*").from_(ending), folder / f"out.{ending}")
        assert duckdb.execute(f"FROM '{folder}/out.{ending}'").fetchall() == [(1, 2)]
        assert (folder / f"out.{ending}").stat().st_mode & 0o777 == 0o600


def test_engines_for_other_files_do_not_help(engine: DuckDBEngine, folder: Path) -> None:
    other = open_engine(files=["other.csv"])
    with pytest.raises(duckdb.Error):
        engine._connection.sql(f"FROM read_csv('{folder}/other.csv')").fetchall()
    other.close()


@pytest.mark.parametrize(
    "command",
    [
        ["check", "hospital.yaml"],
        ["audit", "patients.yaml"],
        ["breach", "patients.yaml", "--out", "out.csv"],
        ["explain", "patients.yaml", "--who", "Bill"],
        ["crowds", "clinic.yaml", "--out", "out.parquet"],
        ["linkage", "ward.yaml"],
        ["bucketize", "ward.yaml", "--r", "1", "--out", "out"],
        ["republish", "quarter1.yaml", "--out", "out", "--begin"],
        ["attack", "past.yaml", "--known", "past-known.csv"],
    ],
    ids=lambda command: command[0],
)
def test_commands_name_what_they_read(
    command: list[str], examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of their files is read as a copy, as one is that was not named."""
    brought: list[str] = []
    monkeypatch.setattr("deniable.engines.plain_names._bring", lambda path, link: brought.append(str(path)))
    done = call(*command)
    assert brought == []
    assert done.status in (0, 1), done.err


def test_published_folders_are_named(examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("bucketize", "ward.yaml", "--r", "1", "--out", "out").status == 0
    monkeypatch.setattr("deniable.engines.plain_names._bring", None)
    assert call("utility", "ward.yaml", "--release", "out").status == 0


def test_a_full_disk_is_said(engine: DuckDBEngine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    query = sqlglot.parse_one("SELECT range AS a FROM range(1000000)", dialect="duckdb")
    assert isinstance(query, exp.Query)
    with monkeypatch.context() as patch:
        patch.setattr("deniable.engines.pipes.os.write", write)
        with pytest.raises(EngineError):
            engine.save(query, folder / "out.csv")
    assert not list(folder.glob("*out*"))
    engine.save(query, folder / "out.csv")
    assert (folder / "out.csv").stat().st_size == 6_888_892


def test_files_that_came_later_are_read_all_the_same(folder: Path) -> None:
    """In Python a file may be written between two looks at a release; whoever was not named is read as a copy."""
    (folder / "t.csv").write_text("name,age,problem\na,1,x\nb,1,y\n")
    engine = open_engine()
    engine.attach("t.csv", "t", text=(), types={}, folder=folder)
    (folder / "t.csv").write_text("name,age,problem\nc,1,x\n")
    engine.attach("t.csv", "u", text=(), types={}, folder=folder)
    assert engine.fetch(exp.select("name").from_("u")).to_pylist() == [{"name": "c"}]
    engine.close()


def test_a_release_in_python_is_sealed_too(folder: Path) -> None:
    (folder / "t.csv").write_text("name,age,problem\na,1,x\nb,1,y\n")
    views = {"a": "SELECT name, age FROM t", "b": "SELECT age, problem FROM t"}
    result = deniable.breach(deniable.Release(table="t.csv", identifier="name", private="problem", views=views))
    (folder / "other.csv").write_text("a\n1\n")
    engine = result.bound.scope.engine
    assert isinstance(engine, DuckDBEngine)
    with pytest.raises(duckdb.PermissionException):
        engine._connection.sql("FROM 'other.csv'").fetchall()
    result.save(folder / "out.csv")
    result.close()
    assert (folder / "out.csv").exists()
