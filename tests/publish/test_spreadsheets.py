"""Formulas in published files: said, and made harmless where that is asked for."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable
from deniable.publish.spreadsheets import as_before, count_formulas, harmless
from deniable.report.bucketize import bucketize_json, bucketize_text
from deniable.report.history import republished_json, republished_text

JOBS = ["=HYPERLINK(1)", "+job", "'job", "-job", "@job", "\tjob", "job", "-7"]
PROBLEMS = ["=cmd|' /C calc'!A0", "Cold", "@flu", "'quoted"]
MORE = "identifier: name\nprivate: problem\nquasi: [age, job]\nrepublish: {m: 2, n: 1}\n"
BEGINS = tuple("=+-@\t\r\n")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    with (tmp_path / "t.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["name", "age", "job", "problem"])
        rows.writerows([f"p{i}", -i, JOBS[i % 8], PROBLEMS[i // 2 % 4]] for i in range(32))
    (tmp_path / "release.yaml").write_text(f"table: t.csv\n{MORE}")
    return tmp_path / "release.yaml"


def cells(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def computed(path: Path) -> list[str]:
    """The cells that a spreadsheet would compute; numbers are none."""
    return [cell for row in cells(path) for cell in row if cell.startswith(BEGINS) and not cell[1:].isdigit()]


def test_groups_are_made_harmless(release: Path, tmp_path: Path) -> None:
    plain = deniable.bucketize(release, tmp_path / "plain", r=2, seed=1)
    safe = deniable.bucketize(release, tmp_path / "safe", r=2, seed=1, excel_safe=True)
    for name in ("people.csv", "values.csv"):
        assert computed(tmp_path / "plain" / name)
        assert computed(tmp_path / "safe" / name) == []
        before, after = cells(tmp_path / "plain" / name), cells(tmp_path / "safe" / name)
        assert [[cell.removeprefix("'") for cell in row] for row in after] == before
    files = [tmp_path / "plain" / name for name in ("people.csv", "values.csv")]
    assert plain.formulas == safe.formulas == sum(len(computed(file)) for file in files)
    assert "cells begin as a formula does (=, +, - or @), which a spreadsheet would compute" in bucketize_text(
        plain, "out"
    )
    assert "as a formula does (=, +, - or @); each has ' before it" in bucketize_text(safe, "out")
    assert bucketize_json(plain)["formulas"] == plain.formulas


def test_releases_are_made_harmless_and_verified(release: Path, tmp_path: Path) -> None:
    first = deniable.republish(release, tmp_path / "first", begin=True, excel_safe=True)
    assert first.formulas > 0
    assert computed(tmp_path / "first" / "release.csv") == []
    assert "; each has ' before it" in republished_text(first, "out", dry_run=False)
    assert republished_json(first, dry_run=False)["formulas"] == first.formulas
    second = deniable.republish(release, tmp_path / "second", unusual="same-table")
    assert computed(tmp_path / "second" / "release.csv")
    assert "--excel-safe" in republished_text(second, "out", dry_run=False)
    assert not deniable.verify(release).mismatches
    published = hashlib.sha256((tmp_path / "first" / "release.csv").read_bytes()).hexdigest()
    assert deniable.ledger(release).listed[0].digest == published


def test_utility_reads_harmless_files_as_what_they_were(release: Path, tmp_path: Path) -> None:
    found = []
    for excel_safe in (False, True):
        folder = tmp_path / f"groups-{excel_safe}"
        deniable.bucketize(release, folder, r=2, seed=1, excel_safe=excel_safe)
        found.append(deniable.utility(release, folder, queries=20))
    assert found[0].errors == found[1].errors
    (tmp_path / "release.ledger").unlink(missing_ok=True)
    deniable.republish(release, tmp_path / "again", begin=True, excel_safe=True, seed=1)
    assert deniable.utility(release, tmp_path / "again", queries=20).people == 32


def test_a_table_without_formulas_is_not_spoken_of(release: Path, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,age,job,problem\na,-1,x,p\nb,-2,x,q\nc,-3,y,p\nd,-4,y,q\n")
    made = deniable.bucketize(release, tmp_path / "out", r=2, excel_safe=True)
    assert made.formulas == 0
    assert "as a formula does" not in bucketize_text(made, "out")


@given(st.lists(st.none() | st.text(st.sampled_from("=+-@\t\r\n'＝a1.,e"), max_size=5)))
def test_harmless_cells_can_be_had_back(found: list[str | None]) -> None:
    array = pa.array(found, pa.string())
    safe = harmless(array)
    assert as_before(safe).to_pylist() == found
    assert count_formulas(safe) == 0
    assert harmless(safe).null_count == array.null_count


@pytest.mark.parametrize("number", ["-5", "+5", "-0.5", "-1,5", "-.5", "+1e-9", "-1."])
def test_numbers_are_no_formulas(number: str) -> None:
    assert harmless(pa.array([number])).to_pylist() == [number]


@pytest.mark.parametrize("cell", ["-5x", "--5", "-", "-1-1", "+1+1", "-5\n", "=1", "@a", "\tx", "\rx", "\nx", "＝1"])
def test_all_that_begins_as_a_formula_is_one(cell: str) -> None:
    assert harmless(pa.array([cell])).to_pylist() == [f"'{cell}"]
