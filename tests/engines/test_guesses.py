"""What the columns of a text file are read as: text, unless every cell comes back as it was written."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from deniable.engines import guesses, opened

TYPES = {
    "whole numbers": ("1 22 -3 0", "BIGINT"),
    "18 digits": ("999999999999999999 1", "BIGINT"),
    "19 digits that fit": ("9223372036854775807 1", "BIGINT"),
    "19 digits that do not": ("9999999999999999999 1", "VARCHAR"),
    "20 digits": ("99999999999999999999 99999999999999999998", "VARCHAR"),
    "20 digits and a point": ("9999999999999999999.5 1.5", "DECIMAL(38, 1)"),
    "shortest decimals": ("1.5 2.25 -0.125", "DOUBLE"),
    "whole numbers bare among decimals": ("1 1.5 2.25", "DOUBLE"),
    "whole numbers with a point among decimals": ("1.0 1.5 2.25", "DOUBLE"),
    "whole numbers both ways": ("1 1.0 1.5", "VARCHAR"),
    "1 beside 1.0": ("1 1.0", "VARCHAR"),
    "an exponent": ("1e3 1000", "VARCHAR"),
    "two decimals each": ("1.50 2.25 10.00 -0.05", "DECIMAL(18, 2)"),
    "two decimals and three": ("1.50 2.250", "VARCHAR"),
    "no zero before the point": (".5 0.5", "VARCHAR"),
    "minus zero": ("-0 0", "VARCHAR"),
    "minus zero with a point": ("-0.0 0.0 1.5", "VARCHAR"),
    "minus zero with decimals": ("-0.00 0.00 1.50", "VARCHAR"),
    "leading zeros": ("007 7", "VARCHAR"),
    "a plus": ("+1 2", "VARCHAR"),
    "no number": ("nan 1.5", "VARCHAR"),
    "infinity": ("inf 1.5", "VARCHAR"),
    "hexadecimal": ("0x10 16", "VARCHAR"),
    "thousands": ("1_000 1000", "VARCHAR"),
    "too precise": ("0.1 0.1000000000000000055 0.10000000000000001", "VARCHAR"),
    "dates": ("2024-01-31 2023-12-01", "DATE"),
    "dates of another shape": ("2024-1-31", "VARCHAR"),
    "no such day": ("2024-02-30", "VARCHAR"),
    "days at infinity": ("infinity 2024-01-31", "VARCHAR"),
    "timestamps": ("2024-01-31_10:00:00 2024-01-31_10:00:00.5", "TIMESTAMP"),
    "timestamps without seconds": ("2024-01-31_10:00", "VARCHAR"),
    "timestamps with a T": ("2024-01-31T10:00:00 2024-01-31_10:00:00", "VARCHAR"),
    "time zones": ("2024-01-31_10:00:00+01 2024-01-31_09:00:00+00", "VARCHAR"),
    "truth": ("true false", "BOOLEAN"),
    "truth in two spellings": ("true True TRUE", "VARCHAR"),
    "nulls among numbers": ("1 - 3", "BIGINT"),
    "nulls only": ("- -", "VARCHAR"),
    "an empty text": ('1 ""', "VARCHAR"),
    "spaces": ("1_ 1", "VARCHAR"),
}  # `_` is a space, `-` alone a null


def read(cells: list[str], folder: Path) -> tuple[str, list[object]]:
    """The type of a column, and its values."""
    (folder / "t.csv").write_text("who,what\n" + "".join(f"p{i},{cell}\n" for i, cell in enumerate(cells)))
    with opened() as engine:
        columns = engine.attach("t.csv", "t", text=["who"], types={}, folder=folder)
        rows = engine.fetch(exp.select("*").from_("t"))
    values = dict(zip(rows.column("who").to_pylist(), rows.column("what").to_pylist(), strict=True))
    return columns["what"].sql, [values[f"p{i}"] for i in range(len(cells))]


@pytest.mark.parametrize("case", TYPES)
@pytest.mark.parametrize("sample", [guesses.SAMPLE, 1], ids=["at once", "by a sample"])
def test_a_column_is_what_every_cell_comes_back_from(
    case: str, sample: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guesses, "SAMPLE", sample)
    cells, wanted = TYPES[case]
    written = ["" if cell == "-" else cell if case == "thousands" else cell.replace("_", " ") for cell in cells.split()]
    assert read(written, tmp_path)[0] == wanted


def test_the_last_cell_of_many_decides(tmp_path: Path) -> None:
    """A sample would not see it."""
    whole = [str(i) for i in range(1, 3 * guesses.SAMPLE)]
    assert read(whole, tmp_path)[0] == "BIGINT"
    assert read([*whole, "007"], tmp_path)[0] == "VARCHAR"
    assert read([*whole, "1.5"], tmp_path)[0] == "DOUBLE"
    assert read([*whole, "1.50"], tmp_path)[0] == "VARCHAR"
    assert read([*[""] * len(whole), "1.50", "2.25"], tmp_path)[0] == "DECIMAL(18, 2)"


DIGITS = st.integers(0, 120)
SHAPES = (
    st.builds("{}{}{}{}".format, st.sampled_from(["", "", "-", "+"]), DIGITS, st.sampled_from(["", ".", "e"]), DIGITS),
    st.builds("{}{}".format, st.sampled_from(["1", "2.5", "0", "0.0", "-0.0", "10"]), st.sampled_from(["", ".0", "0"])),
    st.builds("{}{}".format, st.integers(10**18, 10**20), st.sampled_from(["", ".5", ".50"])),
    st.floats().map(repr),
    st.builds("{}{}".format, st.one_of(st.dates(), st.datetimes()), st.sampled_from(["", "", "0", "+01"])),
    st.sampled_from(["true", "True", "false", "t", "infinity", "1 ", "0x1F"]),
)


@settings(max_examples=20)
@given(st.lists(st.one_of(*(st.lists(shape, min_size=3, max_size=3) for shape in SHAPES)), min_size=5, max_size=5))
def test_no_two_cells_become_one(columns: list[list[str]]) -> None:
    """Not even where they would be equal as numbers: different texts are different values."""
    names = [f"c{i}" for i in range(len(columns))]
    with opened() as engine:
        engine.put("cells", pa.table(dict(zip(names, columns, strict=True))))
        kinds = guesses.guess(
            lambda query: [tuple(row.values()) for row in engine.fetch(query).to_pylist()], "cells", names
        )
        read = engine.fetch(exp.select(*(f"CAST({name} AS {kinds[name]}) AS {name}" for name in names)).from_("cells"))
    for name, cells in zip(names, columns, strict=True):
        assert len(set(read.column(name).to_pylist())) == len(set(cells)), kinds[name]


def test_columns_of_any_name_and_number(tmp_path: Path) -> None:
    names = ["cell", "place", "few", 'a "b"', "select", "Größe"]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, ["1", "2.5", "x", "2024-01-31", "true", "007"]])
    with opened() as engine:
        found = engine.attach("t.csv", "t", text=[], types={}, folder=tmp_path)
        assert pc.sum(engine.fetch(exp.select("place").from_("t")).column("place")).as_py() == 2.5
    assert [kind.sql for kind in found.values()] == ["BIGINT", "DOUBLE", "VARCHAR", "DATE", "BOOLEAN", "VARCHAR"]
