"""Tables as the world writes them: packed, in other encodings, with decimal commas, with names that need quotes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest

import deniable
from tests.cli.conftest import Call

TEXT = "wer;Größe Ort;Alter;Grund\nJürgen;1,5;30;Grippe\nBärbel;2;31;Gicht\nAnaïs;1,5;30;Gicht\n"
SPEC = (
    "table: {table}\nname: t\nidentifier: wer\nprivate: Grund\n{keys}views:\n"
    '  a: SELECT wer, "Größe Ort" FROM t WHERE "Größe Ort" < 1.75\n'
    '  b: SELECT "Größe Ort", Grund FROM t WHERE "Größe Ort" < 1.75\n'
)
COMMA = 'decimal: ","\n'


def write(table: str, data: bytes, keys: str) -> None:
    Path(table).write_bytes(data)
    Path("t.yaml").write_text(SPEC.format(table=table, keys=keys), encoding="utf-8")


def zst_frame(data: bytes) -> bytes:
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(data)
    return bytes(out.getvalue())


WRITTEN = {
    "gz": ("t.csv.gz", gzip.compress(TEXT.encode()), COMMA),
    "zst": ("t.csv.zst", zst_frame(TEXT.encode()), COMMA),
    "tsv.gz": ("t.tsv.gz", gzip.compress(TEXT.replace(";", "\t").encode()), COMMA),
    "latin-1": ("t.csv", TEXT.encode("latin-1"), COMMA + "encoding: latin-1\n"),
    "cp1252": ("t.csv", TEXT.encode("cp1252"), COMMA + "encoding: cp1252\n"),
    "utf-16": ("t.csv", TEXT.encode("utf-16"), COMMA + "encoding: UTF-16\n"),
    "latin-1 and gz": ("t.csv.gz", gzip.compress(TEXT.encode("latin-1")), COMMA + "encoding: latin1\n"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_table_is_read_as_it_is_written(case: str, folder: Path, call: Call) -> None:
    write(*WRITTEN[case])
    told = call("check", "t.yaml", "--json")
    assert told.err == ""
    assert json.loads(told.out)["columns"]["Größe Ort"] == "DOUBLE"
    assert "1 of the 2" not in call("explain", "t.yaml", "--who", "Jürgen").err
    assert json.loads(call("breach", "t.yaml", "--json").out)["people"] == 2


def test_another_encoding_is_said(folder: Path, call: Call) -> None:
    write("t.csv", TEXT.encode("latin-1"), COMMA)
    told = call("check", "t.yaml")
    assert told.status == 2
    assert "found other bytes in the name of column 2 (encoding: latin-1, cp1252 or utf-16 reads others)" in told.err
    write("t.csv", b"wer;x\n" + "Jürgen;1\n".encode("latin-1"), "encoding: ascii85\n")
    assert (
        "encoding: expected an encoding such as utf-8, latin-1, cp1252 or utf-16; found ascii85"
        in call("check", "t.yaml").err
    )
    write("t.csv", TEXT.encode("latin-1"), "encoding: utf-16\n")
    assert "expected utf-16 text; found other bytes" in call("check", "t.yaml").err
    write("t.csv.gz", TEXT.encode(), COMMA)
    assert "expected a file packed as .gz is; found another" in call("check", "t.yaml").err


@pytest.mark.parametrize("name", ["\ud800", "a\0b", "rot13", "hex", "undefined"])
def test_what_reads_no_text_is_no_encoding(name: str) -> None:
    with pytest.raises(deniable.BadInput, match="encoding: expected an encoding such as utf-8"):
        deniable.Release(table="t.csv", identifier="wer", private="Grund", encoding=name)


def test_decimal_commas_are_noticed_and_said(folder: Path, call: Call) -> None:
    write("t.csv", TEXT.encode(), "")
    Path("t.yaml").write_text("table: t.csv\nidentifier: wer\nprivate: Grund\n")
    said = 'Größe Ort is read as text: its numbers have decimal commas (decimal: "," reads them as numbers)'
    assert call("check", "t.yaml").out.splitlines()[1:] == [said]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [("1,5 2,25", "DOUBLE"), ("1,50 2,25", "DECIMAL(18, 2)"), ("1.5 2,25", "VARCHAR"), ("1.000 2.000", "VARCHAR"),
     ("1 2", "BIGINT"), ("1,5 1,50", "VARCHAR")],
)  # fmt: skip
def test_numbers_with_commas_come_back_as_they_were_written(cells: str, kind: str, folder: Path, call: Call) -> None:
    Path("t.csv").write_text("who;what\n" + "".join(f"p{i};{cell}\n" for i, cell in enumerate(cells.split())))
    Path("t.yaml").write_text(f"table: t.csv\nidentifier: who\n{COMMA}")
    assert json.loads(call("check", "t.yaml", "--json").out)["columns"]["what"] == kind


def test_a_sheet_says_what_to_do(folder: Path, call: Call) -> None:
    Path("t.xlsx").write_bytes(b"PK")
    Path("t.yaml").write_text("table: t.xlsx\nidentifier: wer\n")
    assert (
        "found .xlsx (save the sheet as .csv, or in Python read it with pandas.read_excel"
        in call("check", "t.yaml").err
    )


@pytest.mark.parametrize(
    ("view", "name"),
    [("wer, Alter", "Alter"), ("wer, Größe Ort", "Größe Ort"), ('"Alter" FROM t WHERE Größe Ort > 1', "Größe Ort")],
)
def test_a_column_that_needs_quotes(view: str, name: str, folder: Path, call: Call) -> None:
    write("t.csv", TEXT.encode(), COMMA)
    rest = "" if " FROM " in view else " FROM t"
    Path("t.yaml").write_text(
        f"table: t.csv\nidentifier: wer\nprivate: Grund\nviews:\n  a: 'SELECT {view}{rest}'\n", encoding="utf-8"
    )
    told = call("check", "t.yaml")
    assert told.status == 2
    assert f'; a column of this name is written "{name}"' in told.err


def test_who_is_asked_for_is_looked_at_before_the_table(folder: Path, call: Call) -> None:
    Path("t.yaml").write_text(
        "table: nowhere.csv\nidentifier: [a, b]\nprivate: c\nviews:\n  v: SELECT a FROM nowhere\n"
    )
    assert call("explain", "t.yaml", "--who", "ann").err == "--who: expected a value for each of a, b; found 1\n"
