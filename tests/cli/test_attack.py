"""`deniable attack` on the paper's tables: releases that others published, and those of the ledger."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call


def rows(path: str) -> dict[str, dict[str, str]]:
    with Path(path).open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("adversary", ["joint", "pairs"])
def test_carl_gives_erica_away(adversary: str, examples: Path, call: Call) -> None:
    told = call("attack", "past.yaml", "--known", "past-known.csv", "--adversary", adversary, "--out", "out.csv")
    assert (told.status, told.out) == (0, "wrote out.csv\n")
    found = rows("out.csv")
    assert list(found["Erica"]) == ["name", "values", "exposed", "probability", "lower", "upper", "bound"]
    assert {name for name, row in found.items() if row["exposed"] == "true"} == {"Carl", "Erica"}
    assert found["Doris"]["values"] == "2"
    assert found["Doris"]["probability"] == ("0.5" if adversary == "joint" else "")


def test_cor_split_protects_erica(examples: Path, call: Call) -> None:
    for quarter in (1, 2):
        assert (
            call(
                "republish",
                f"quarter{quarter}.yaml",
                "--out",
                f"out{quarter}",
                "--seed",
                "1",
                *["--begin"][quarter - 1 :],
            ).status
            == 0
        )
    assert call("attack", "quarter2.yaml", "--known", "past-known.csv", "--out", "out.csv").status == 0
    found = rows("out.csv")
    assert len(found) == 8
    assert {name for name, row in found.items() if row["exposed"] == "true"} == {"Carl"}
    assert found["Erica"]["values"] == "3"


def test_people_drawn_at_random(examples: Path, call: Call) -> None:
    call("republish", "quarter1.yaml", "--out", "out1", "--begin", "--no-audit")
    arguments = ("attack", "quarter1.yaml", "--compromise", "0.5", "--seed", "3", "--repeat", "2", "--json")
    told, again = call(*arguments), call(*arguments)
    document = json.loads(told.out)
    assert (document["people"], document["releases"], document["groups"]) == (6, 1, 2)
    assert [run["known"] for run in document["runs"]] == [3, 3]
    assert document["promised"] is not None
    assert [run["exposed"] for run in json.loads(again.out)["runs"]] == [run["exposed"] for run in document["runs"]]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("quarter1.yaml",), "quarters.ledger: no such file; expected the ledger that `deniable republish` keeps"),
        (("past.yaml", "--compromise", "1.5"), "1.5 is not in the range 0<=x<=1"),
        (
            ("past.yaml", "--compromise", "0.5", "--known", "past-known.csv"),
            "expected known people from a file or drawn",
        ),
        (("past.yaml", "--known", "nobody.csv"), "nobody.csv: no such file"),
        (("past.yaml", "--out", "out.txt"), "expected a path that ends in .csv or .parquet"),
    ],
    ids=["no ledger", "a share above 1", "both", "no file", "ending"],
)
def test_refused(arguments: tuple[str, ...], wanted: str, examples: Path, call: Call) -> None:
    told = call("attack", *arguments)
    assert (told.status, told.out) == (2, "")
    assert wanted in told.err


def test_knowledge_that_no_world_has(examples: Path, call: Call) -> None:
    Path("known.csv").write_text("name,disease\nCarl,AIDS\nErica,cancer\n")
    told = call("attack", "past.yaml", "--known", "known.csv")
    assert told.status == 2
    assert "known.csv" in told.err
    assert "cancer" not in told.err
