"""Only columns that a release uses are read and given types, however many a table has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import deniable
from deniable.engines import guesses, opened
from deniable.engines.duckdb import DuckDBEngine
from deniable.errors import BadInput

NAMES = ["name", "age", "job", "problem", *(f"further {i}" for i in range(200))]
ROWS = [[f"p{r}", 30 + r // 2, f"j{r % 2}", f"v{r % 3}", *range(200)] for r in range(5)]
TABLE = pa.table({name: [row[i] for row in ROWS] for i, name in enumerate(NAMES)})
WHERE = "WHERE job = 'j1' OR age < 99"
VIEWS = {"a": f"SELECT name, job, age FROM t {WHERE}", "b": f"SELECT AGE, job, problem FROM t {WHERE}"}
USED = ["name", "age", "job", "problem"]


def csv(path: Path) -> Path:
    path.write_text("\n".join(",".join(map(str, row)) for row in [NAMES, *ROWS]) + "\n")
    return path


def parquet(path: Path) -> Path:
    pq.write_table(TABLE, path)
    return path


KINDS: dict[str, Callable[[Path], Any]] = {
    "csv": csv,
    "parquet": parquet,
    "arrow": lambda _: TABLE,
    "batch": lambda _: TABLE.combine_chunks().to_batches()[0],
    "reader": lambda _: TABLE.to_reader(),
    "pandas": lambda _: pd.DataFrame(TABLE.to_pydict()),
    "polars": lambda _: pl.DataFrame(TABLE.to_pydict()),
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The columns of everything that is read."""
    seen: list[list[str]] = []
    real = DuckDBEngine.attach

    def attach(self: DuckDBEngine, table: Any, name: str, **keys: Any) -> Any:
        found = real(self, table, name, **keys)
        held = self._connection.execute(
            "SELECT column_name FROM duckdb_columns() WHERE starts_with(table_name, ?)", [name]
        )
        seen.append(sorted({column for (column,) in held.fetchall()}))
        return found

    monkeypatch.setattr(DuckDBEngine, "attach", attach)
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_reads_what_it_uses(kind: str, tmp_path: Path, read: list[list[str]]) -> None:
    table = KINDS[kind](tmp_path / f"t.{kind}")
    release = deniable.Release(table=table, name="t", identifier="name", private="problem", views=VIEWS)
    assert not deniable.audit(release, breach=0.9)
    assert read == [sorted(USED)]


def test_types_are_looked_for_in_those_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def guess(answer: Any, cells: str, columns: list[str], decimal: str) -> dict[str, str]:
        asked.append(columns)
        return guesses.guess(answer, cells, columns, decimal)

    monkeypatch.setattr("deniable.engines.duckdb.guess", guess)
    release = deniable.Release(
        table=csv(tmp_path / "t.csv"),
        name="t",
        identifier="name",
        private="problem",
        views=VIEWS,
        types={"age": "integer"},
    )
    checked = deniable.check(release)
    assert asked == [["job", "problem"], []]  # and cells as they are written, for what types makes equal
    assert list(checked.columns) == USED
    assert checked.unused == 200


def test_crowds_lists_every_public_column(tmp_path: Path) -> None:
    release = deniable.Release(table=csv(tmp_path / "t.csv"), name="t", private="problem", views=VIEWS)
    result = deniable.crowds(release)
    assert len(result.table.column_names) > 200
    result.close()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_mistakes_of_the_header_are_said_all_the_same(kind: str, tmp_path: Path) -> None:
    table = KINDS[kind](tmp_path / f"t.{kind}")
    with pytest.raises(BadInput, match=r"unknown column probleme \(did you mean problem\?\)"):
        deniable.check(deniable.Release(table=table, name="t", identifier="name", private="probleme", views=VIEWS))
    with pytest.raises(BadInput, match=r"unknown column further 7x \(did you mean further 7\d?\?\)"):
        deniable.check(deniable.Release(table=table, name="t", private="problem", quasi=["further 7x"], views=VIEWS))
    release = deniable.Release(
        table=table, identifier="name", quasi=["agee"], private="problem", republish={"m": 2, "n": 1}
    )
    with pytest.raises(BadInput, match=r"unknown column agee \(did you mean age\?\)"):
        deniable.check(release)


def test_a_name_that_stands_twice_among_unused_columns(tmp_path: Path) -> None:
    text = csv(tmp_path / "t.csv").read_text()
    (tmp_path / "t.csv").write_text(text.replace("further 150", "Further 3", 1))
    with pytest.raises(BadInput, match="expected each column once; found one name for columns 8 and 155"):
        deniable.check(deniable.Release(table=str(tmp_path / "t.csv"), name="t", private="problem", views=VIEWS))


def test_a_row_that_is_too_short_is_seen_in_columns_that_are_not_read(tmp_path: Path) -> None:
    csv(tmp_path / "t.csv").write_text((tmp_path / "t.csv").read_text() + "p9,30,j0,v0\n")
    with pytest.raises(BadInput, match=r"t\.csv:7: expected 204 cells in the row; found 4"):
        deniable.check(deniable.Release(table=str(tmp_path / "t.csv"), name="t", private="problem", views=VIEWS))


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (b'"open', "expected a closing quote"),
        (b"1,2", "expected 204 cells in the row; found 205"),
        (b'"a" b', "expected a closing quote"),
    ],
)
def test_damage_is_seen_in_columns_that_are_not_read(cell: bytes, said: str, tmp_path: Path) -> None:
    content = csv(tmp_path / "t.csv").read_bytes()
    (tmp_path / "t.csv").write_bytes(content.removesuffix(b"199\n") + cell + b"\n")
    with pytest.raises(BadInput, match=said):
        deniable.check(deniable.Release(table=str(tmp_path / "t.csv"), name="t", private="problem", views=VIEWS))


@pytest.mark.parametrize("names", [["key", "value"], ["a'b", 'a"b'], ["columns", "$columns"], ["{a", "b}"]])
def test_headers_that_could_be_taken_for_something_else(names: list[str], tmp_path: Path) -> None:
    pa.csv.write_csv(pa.table({name: [7] for name in names}), tmp_path / "t.csv")
    with opened() as engine:
        assert engine.header("t.csv", folder=tmp_path) == tuple(names)
        assert list(engine.attach("t.csv", "t", text=(), types={}, folder=tmp_path)) == names


def test_columns_inside_columns_are_none_of_the_table(tmp_path: Path) -> None:
    nested = pa.table({"a": [{"x": 1, "y": [{"z": 2}]}], "b": [[1]], "c": [{"d": "e"}], "f": [1]})
    pq.write_table(nested, tmp_path / "t.parquet")
    with opened() as engine:
        assert engine.header("t.parquet", folder=tmp_path) == ("a", "b", "c", "f")
        found = engine.attach("t.parquet", "t", text=(), types={}, folder=tmp_path, columns={"f", "x"})
        assert list(found) == ["f"]
        assert list(engine.attach("t.parquet", "u", text=(), types={}, folder=tmp_path, columns={"x"})) == ["a"]
