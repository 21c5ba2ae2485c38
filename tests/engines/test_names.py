"""The rows are those of the file that was named, whatever it is called and whatever stands beside it."""

from __future__ import annotations

import gzip
import os
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from deniable.engines import opened
from deniable.engines.tables import find_files
from deniable.errors import BadInput

# The name of a file, and others beside it that the name would match as a pattern, or that it is read as elsewhere.
NEIGHBOURS = {
    "data[1].csv": ["data1.csv"],
    "q?.csv": ["qa.csv"],
    "s*.csv": ["sb.csv", "s.csv"],
    "**.csv": ["b.csv"],
    "{a,b}.csv": ["a.csv", "b.csv"],
    "a\\*.csv": ["a*.csv", "ab.csv"],
    "[!x].csv": ["y.csv"],
    "~.csv": [],
    "-.csv": [],
    "it's.csv": [],
    'a"b.csv': [],
    "a\nb.csv": ["a"],
    " a .csv": ["a .csv"],
    "file:a.csv": ["a.csv"],
    "s3:a.csv": [],
    "age=40.csv": [],
    "%41.csv": ["A.csv"],
    "f[1]/t.csv": ["f1/t.csv"],
    "f*/t.csv": ["fa/t.csv"],
    "age=40/t.csv": [],
    "~/t.csv": [],
    "s3:/b/t.csv": [],
    "http:/b/t.csv": [],
}


def write(path: Path, cell: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        with path.open("wb") as file:
            pq.write_table(pa.table({"cell": [cell], "age": [7]}), file)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(f"cell,age\n{cell},7\n".encode()))
    else:
        path.write_text(f"cell,age\n{cell},7\n")


def read(table: str, folder: Path, row: str = "") -> Any:
    with opened() as engine:
        engine.attach(table, "t", text=["cell"], types={}, folder=folder, row=row)
        return engine.fetch(exp.select("cell", "age").from_("t").order_by("cell")).to_pylist()


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_file_of_exactly_that_name_wins(name: str, ending: str, tmp_path: Path) -> None:
    named = name.replace(".csv", ending)
    for other in NEIGHBOURS[name]:
        write(tmp_path / other.replace(".csv", ending), "WRONG")
    write(tmp_path / named, "right")
    assert read(named, tmp_path) == [{"cell": "right", "age": 7}]
    assert read(str(tmp_path / named), Path(), row="n") == [{"cell": "right", "age": 7}]


def test_names_that_a_shell_would_expand_or_take_for_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the folder is the one that the program runs in, so that nothing stands before the name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path / "home" / "t.csv", "WRONG")
    for name in ("~/t.csv", "-t.csv", "s3://b/t.csv", "file:t.csv", "file:///t.csv", ":memory:.csv"):
        write(tmp_path / name, "right")
        assert read(name, Path()) == [{"cell": "right", "age": 7}]


def test_only_a_name_that_no_file_has_is_a_pattern(tmp_path: Path) -> None:
    for name in ("p1.csv", "p2.csv", "p[3].csv", "f[1]/p1.csv", "f1/p1.csv"):
        write(tmp_path / name, name)
    assert [row["cell"] for row in read("p[12].csv", tmp_path)] == ["p1.csv", "p2.csv"]
    assert [row["cell"] for row in read("p*.csv", tmp_path)] == ["p1.csv", "p2.csv", "p[3].csv"]
    assert [row["cell"] for row in read("f[1]/p*.csv", tmp_path)] == ["f[1]/p1.csv"]  # a folder that there is
    assert [row["cell"] for row in read("f[0-9]/p*.csv", tmp_path)] == ["f1/p1.csv"]
    assert [row["cell"] for row in read("p*.csv", tmp_path / "f[1]")] == ["f[1]/p1.csv"]
    with pytest.raises(BadInput, match="no such file"):
        read("q*.csv", tmp_path / "f[1]")


def test_columns_are_never_made_of_the_names_of_folders(tmp_path: Path) -> None:
    for name in ("age=40/part-1.parquet", "age=50/part-1.parquet"):
        write(tmp_path / name, "right")
    assert read("age=*/part-*.parquet", tmp_path) == [{"cell": "right", "age": 7}] * 2


def test_links_are_followed(tmp_path: Path) -> None:
    write(tmp_path / "real" / "t[1].parquet", "right")
    write(tmp_path / "t1.parquet", "WRONG")
    (tmp_path / "t[1].parquet").symlink_to("real/t[1].parquet")
    (tmp_path / "latest").symlink_to("real")
    assert read("t[1].parquet", tmp_path) == [{"cell": "right", "age": 7}]
    assert read("latest/t[1].parquet", tmp_path) == [{"cell": "right", "age": 7}]


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "lost.csv").symlink_to("nowhere.csv")
    (tmp_path / "round.csv").symlink_to("round.csv")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    for name in ("lost.csv", "round.csv"):
        with pytest.raises(BadInput, match=f"^{name}: no such file"):
            find_files(name, tmp_path)
    with pytest.raises(BadInput, match="found a directory"):
        find_files("folder.csv", tmp_path)
    with pytest.raises(BadInput, match="found something that is none"):
        find_files("pipe.csv", tmp_path)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    write(tmp_path / f"{name}.csv", "right")
    write(tmp_path / f"{name}.parquet", "right")
    for ending in (".csv", ".parquet"):
        assert read(f"{name}{ending}", tmp_path) == [{"cell": "right", "age": 7}]


PIECES = (
    "*", "?", "[", "]", "[a]", "[!a]", "**", "{a,b}", "~", "\\", "'", '"', "\n", "\t", " ", "=", ":", "%", "$", "-",
    "#", "é", "a", "b", ".", "file:", "s3:", "age=40",
)  # fmt: skip
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)


@settings(max_examples=settings().max_examples // 4)
@given(
    names=st.lists(NAMES, min_size=1, max_size=4, unique=True),
    folder=st.just("") | NAMES,
    ending=st.sampled_from([".csv", ".parquet"]),
)
@example(names=["[!a]", "b"], folder="..a", ending=".parquet")
def test_each_of_many_files_is_read_by_its_own_name(names: list[str], folder: str, ending: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        here = Path(place) / "x" / folder if folder not in (".", "..") else Path(place)
        for number, name in enumerate(names):
            write(here / f"{name}{ending}", f"cell {number}")
        with opened() as engine:
            for number, name in enumerate(names):
                engine.attach(f"{name}{ending}", f"t{number}", text=["cell"], types={}, folder=here)
            for number in range(len(names)):
                rows = engine.fetch(exp.select("cell", "age").from_(f"t{number}")).to_pylist()
                assert rows == [{"cell": f"cell {number}", "age": 7}]
