"""A file that is damaged is named, also where it is one of many, and where the damage is found late."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable
from deniable.errors import BadInput
from tests.cli.conftest import Call

ROWS = 3000
TABLE = pa.table(
    {
        "name": [f"p{i}" for i in range(ROWS)],
        "age": [i * 7919 % 90 for i in range(ROWS)],
        "problem": [f"SECRET{i * 104729 % 9973}" for i in range(ROWS)],
    }
)
TEXT = "name,age,problem\n" + "".join(f"{row['name']},{row['age']},{row['problem']}\n" for row in TABLE.to_pylist())
NOISE = bytes(i * 7 % 251 for i in range(2000))


def whole(ending: str, folder: Path) -> bytes:
    if ending == "parquet":
        pq.write_table(TABLE, folder / "whole")
        return (folder / "whole").read_bytes()
    return gzip.compress(TEXT.encode()) if ending == "csv.gz" else TEXT.encode()


def damaged(how: str, good: bytes) -> bytes:
    middle = len(good) // 2
    return {
        "cut": good[:middle],
        "noise inside": good[: middle - 1000] + NOISE + good[middle + 1000 :],
        "noise": NOISE,
        "its end": good[:-100] + NOISE[:92] + good[-8:],
    }[how]


CASES = [
    *((how, "parquet") for how in ("cut", "noise inside", "noise", "its end")),
    *((how, "csv.gz") for how in ("cut", "noise inside", "noise")),
    ("noise inside", "csv"),
]


def audit(table: str, folder: Path) -> str:
    views = {"a": "SELECT name, age FROM t", "b": "SELECT age, problem FROM t"}
    with pytest.raises(BadInput) as wrong:
        deniable.audit(
            deniable.Release(table=str(folder / table), name="t", identifier="name", private="problem", views=views),
            breach=0.5,
        )
    assert "SECRET" not in str(wrong.value)
    assert len(str(wrong.value).splitlines()) == 1
    return str(wrong.value)


@pytest.mark.parametrize("large", [False, True], ids=["read at once", "read where it is"])
@pytest.mark.parametrize(("how", "ending"), CASES)
def test_the_damaged_one_is_named(
    how: str, ending: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr("deniable.engines.duckdb._SMALL", 0)
    good = whole(ending, tmp_path)
    for number in (1, 2, 3):
        (tmp_path / f"part-{number}.{ending}").write_bytes(damaged(how, good) if number == 2 else good)
    assert f"part-2.{ending}:" in audit(f"part-2.{ending}", tmp_path)
    assert f"part-2.{ending}:" in audit(f"part-*.{ending}", tmp_path)


def test_a_packed_file_in_another_encoding(tmp_path: Path) -> None:
    good = gzip.compress(TEXT.encode("utf-16"))
    for how in ("cut", "noise inside"):
        (tmp_path / "t.csv.gz").write_bytes(damaged(how, good))
        with pytest.raises(BadInput, match=r"t\.csv\.gz: expected a file packed as \.gz is; found another"):
            deniable.check(
                deniable.Release(table=str(tmp_path / "t.csv.gz"), quasi="age", private="problem", encoding="utf-16")
            )


@pytest.mark.parametrize(
    ("command", "spec", "name"),
    [
        ("linkage", "ward.yaml", "ward-people.csv"),
        ("linkage", "ward.yaml", "ward-knowledge.csv"),
        ("attack", "past.yaml", "past2.csv"),
        ("attack", "past.yaml", "past-population.csv"),
        ("republish", "quarter1.yaml", "quarter1.csv"),
    ],
)
def test_every_kind_of_file_is_named(command: str, spec: str, name: str, examples: Path, call: Call) -> None:
    out = ["--out", "out", "--begin"] if command == "republish" else []
    (examples / name).write_bytes((examples / name).read_bytes() + NOISE)
    done = call(command, spec, *out)
    assert done.status == 2
    assert name in done.err
    assert not (examples / "out").exists()


def test_a_damaged_ledger_is_named(examples: Path, call: Call) -> None:
    assert call("republish", "quarter1.yaml", "--out", "out", "--begin").status == 0
    ledger = examples / "quarters.ledger"
    good = ledger.read_bytes()
    for how in ("cut", "noise inside", "noise"):
        ledger.write_bytes(damaged(how, good))
        for command in (["republish", "quarter2.yaml", "--out", "next"], ["ledger", "quarter2.yaml", "--verify"]):
            done = call(*command)
            assert done.status in (1, 2), done.err
            assert "quarters.ledger" in done.err + done.out
    assert not (examples / "next").exists()


@pytest.mark.parametrize("how", ["its checksum", "its length", "a cell"])
def test_a_packed_file_that_unpacks_to_something_else(how: str, tmp_path: Path) -> None:
    stored = gzip.compress(TEXT.encode(), compresslevel=0)  # so that one byte is one byte of a cell
    at = stored.index(b"p1700,") + 1
    changed = {
        "its checksum": stored[:-8] + bytes(4) + stored[-4:],
        "its length": stored[:-4] + bytes(4),
        "a cell": stored[:at] + b"9" + stored[at + 1 :],
    }[how]
    for number in (1, 2, 3):
        (tmp_path / f"part-{number}.csv.gz").write_bytes(changed if number == 2 else stored)
    assert "part-2.csv.gz: expected a file packed as .gz is; found another" in audit("part-*.csv.gz", tmp_path)


def test_a_packed_file_of_several_parts_is_read_to_its_end(tmp_path: Path) -> None:
    lines = TEXT.splitlines(keepends=True)
    parts = ["".join(lines[:1000]), "".join(lines[1000:])]
    (tmp_path / "t.csv.gz").write_bytes(b"".join(gzip.compress(part.encode()) for part in parts))
    found = deniable.crowds(str(tmp_path / "t.csv.gz"), private="problem", quasi=["age"])
    assert found.people == ROWS
