"""`deniable linkage`, `bucketize` and `utility`: the words and columns they promise."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Call

COLUMNS = [
    "person", "group", "disease", "adversary", "given", "probability", "lower", "upper", "bound", "reason",
]  # fmt: skip


def read(path: str) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_linkage(ending: str, examples: Path, call: Call) -> None:
    told = call("linkage", "ward.yaml", "--out", f"out.{ending}")
    assert (told.status, told.out, told.err) == (0, f"wrote out.{ending}\n", "")
    rows = read("out.csv") if ending == "csv" else pq.read_table("out.parquet").to_pylist()
    assert list(rows[0]) == COLUMNS
    assert len(rows) == 4 * 2 * 2
    alan = {(row["adversary"], row["disease"]): row for row in rows if int(row["person"]) == 1}
    assert float(alan["marginal", "Lung Cancer"]["probability"]) == pytest.approx(0.97363, abs=5e-6)
    assert float(alan["full", "Lung Cancer"]["probability"]) == pytest.approx(0.02 / 0.0206)
    for row in rows:
        assert row["bound"] == "exact"
        assert float(row["lower"]) <= float(row["probability"]) <= float(row["upper"])


def test_linkage_json(examples: Path, call: Call) -> None:
    document = json.loads(call("linkage", "ward.yaml", "--json").out)
    assert (document["people"], document["groups"]) == (4, 2)
    assert [one["adversary"] for one in document["adversaries"]] == ["marginal", "full"]
    assert [one["over"] for one in document["adversaries"]] == [1, 2]


@pytest.mark.parametrize(("limit", "status"), [(0.5, 1), (1, 0)])
def test_audit_of_linkage(limit: float, status: int, examples: Path, call: Call) -> None:
    Path("ward.yaml").write_text(Path("ward.yaml").read_text().replace("at_most: 0.5", f"at_most: {limit}"))
    told = call("audit", "ward.yaml", "--json")
    assert told.status == status
    checks = json.loads(told.out)["checks"]
    assert [(check["check"], check["adversary"]) for check in checks] == [("linkage", "marginal"), ("linkage", "full")]
    assert [check["over"] for check in checks] == ([1, 2] if status else [0, 0])


def test_utility(examples: Path, call: Call) -> None:
    Path("release").mkdir()
    Path("release/people.csv").write_text(Path("ward-people.csv").read_text())
    Path("release/values.csv").write_text(Path("ward-values.csv").read_text())
    told = call("utility", "ward.yaml", "--release", "release", "--queries", "50", "--out", "out.csv")
    assert (told.status, told.err) == (0, "")
    rows = read("out.csv")
    assert list(rows[0]) == ["selectivity", "queries", "median_error", "p25", "p75"]
    assert [float(row["selectivity"]) for row in rows] == [0.01, 0.02, 0.05, 0.1]
    for row in rows:
        assert int(row["queries"]) == 50
        assert 0 <= float(row["p25"]) <= float(row["median_error"]) <= float(row["p75"])
    again = call("utility", "ward.yaml", "--release", "release", "--queries", "50", "--json")
    assert json.loads(again.out)["mean_size"] == 2


def test_utility_of_nothing(examples: Path, call: Call) -> None:
    told = call("utility", "ward.yaml", "--release", "nowhere", "--out", "out.csv")
    assert told.status == 2
    assert "people.csv: no such file" in told.err
    assert not Path("out.csv").exists()
