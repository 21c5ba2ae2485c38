"""Ledgers that version 0.1.0 wrote, and what it published under known seeds: later versions open the former, go on
from them, and publish the same bytes; but for stable groups, which are refilled otherwise since."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import deniable
from tests.history.again import republish

KEPT = Path(__file__).parents[1] / "fixtures" / "ledgers"
ALGORITHMS = ("stable", "cor-split", "m-invariance")
PUBLISHED: dict[str, dict[str, Any]] = json.loads((KEPT / "published.json").read_text(encoding="utf-8"))


def spec(folder: Path, quarter: int, algorithm: str) -> Path:
    table = shutil.copy(KEPT / f"quarter{quarter}.csv", folder)
    path = folder / "release.yaml"
    keys = "identifier: name\nquasi: [age, town, seen]\nprivate: problem\nrepublish: {m: 4, n: 2}\n"
    path.write_text(f"table: {Path(table).name}\n{keys}algorithm: {algorithm}\n", encoding="utf-8")
    return path


def digests(folder: Path, *names: str) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def told(algorithm: str, quarter: int) -> dict[str, Any]:
    return PUBLISHED[f"{algorithm} {quarter}"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_ledger_of_version_0_1_0_goes_on(tmp_path: Path, algorithm: str) -> None:
    path = spec(tmp_path, 4, algorithm)
    path.with_suffix(".ledger").write_bytes(gzip.decompress((KEPT / f"{algorithm}.ledger.gz").read_bytes()))
    assert deniable.verify(path).mismatches == ()
    made = republish(path, tmp_path / "out", seed=4)
    assert made.number == 4
    expected = PUBLISHED.get(f"{algorithm} 4 after three of 0.1.0") or told(algorithm, 4)
    assert {key: expected[key] for key in ("release.csv", "counterfeits.csv")} == digests(
        tmp_path / "out", "release.csv", "counterfeits.csv"
    )
    assert deniable.verify(path).mismatches == ()
    assert deniable.ledger(path).releases == 4


def test_a_ledger_of_version_0_1_0_goes_on_with_other_columns(tmp_path: Path) -> None:
    path = spec(tmp_path, 4, "stable")
    path.with_suffix(".ledger").write_bytes(gzip.decompress((KEPT / "stable.ledger.gz").read_bytes()))
    header, *rows = (tmp_path / "quarter4.csv").read_text(encoding="utf-8").splitlines()
    lines = [header.replace("town", "city") + ",shoe", *(f"{row},{36 + len(row) % 7}" for row in rows)]
    (tmp_path / "quarter4.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    keys = path.read_text(encoding="utf-8").replace("[age, town, seen]", "[shoe, city, seen, age]")
    path.write_text(f"{keys}rename: {{city: town}}\n", encoding="utf-8")
    assert deniable.verify(path).mismatches == ()
    assert republish(path, tmp_path / "out", seed=4, audit=False).number == 4
    assert deniable.verify(path).mismatches == ()
    assert deniable.ledger(path).layout.quasi == ("age", "city", "seen", "shoe")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_published_bytes_for_a_seed_are_those_of_version_0_1_0(tmp_path: Path, algorithm: str) -> None:
    for quarter in range(1, 5):
        path = spec(tmp_path, quarter, algorithm)
        out = tmp_path / f"out{quarter}"
        made = republish(path, out, seed=quarter, audit=quarter == 4)
        found = {"groups": made.groups, "counterfeits": made.counterfeits, "people": made.people}
        assert {**found, **digests(out, "release.csv", "counterfeits.csv")} == told(algorithm, quarter)


@pytest.mark.parametrize("knowledge", ["", " with knowledge"])
def test_bucketized_bytes_for_a_seed_stay_as_they_are(tmp_path: Path, knowledge: str) -> None:
    shutil.copy(KEPT / "quarter1.csv", tmp_path)
    path = tmp_path / "release.yaml"
    given = "knowledge:\n  - {given: [town], estimate: true}\n" if knowledge else ""
    path.write_text(f"table: quarter1.csv\nquasi: [age, town, seen]\nprivate: problem\n{given}", encoding="utf-8")
    made = deniable.bucketize(path, tmp_path / "out", r=3, seed=1)
    found = {"groups": made.groups, "people": made.people, "worst": made.worst}
    assert {**found, **digests(tmp_path / "out", "people.csv", "values.csv")} == PUBLISHED[f"bucketize{knowledge}"]
