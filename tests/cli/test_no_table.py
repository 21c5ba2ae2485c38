"""Releases that somebody else published: their files are enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deniable
from tests.cli.conftest import Call

GROUPS = (
    "quasi: [gender, age]\nprivate: disease\n"
    "published: {people: ward-people.csv, values: ward-values.csv, group: group}\n"
    "knowledge:\n  - {given: [gender], file: ward-knowledge.csv}\nrequire:\n  linkage: {at_most: 0.5}\n"
)
PAST = (
    "identifier: name\nprivate: disease\nhistory: {releases: [past1.csv, past2.csv], population: past-population.csv}\n"
)


def test_linkage_of_what_others_published(examples: Path, call: Call) -> None:
    Path("own.yaml").write_text(GROUPS)
    Path("both.yaml").write_text("table: ward.csv\n" + GROUPS)
    with_table = call("linkage", "both.yaml", "--json")
    alone = call("linkage", "own.yaml", "--json")
    assert (alone.status, alone.err, alone.out) == (0, "", with_table.out)
    assert call("linkage", "own.yaml").out.startswith("own: ")
    assert call("audit", "own.yaml").status == call("audit", "both.yaml").status == 1
    assert call("check", "own.yaml").out == "own.yaml fits its files; it has no table\n"


def test_attack_on_what_others_published(examples: Path, call: Call) -> None:
    Path("own.yaml").write_text(PAST)
    alone = json.loads(call("attack", "own.yaml", "--known", "past-known.csv", "--json").out)
    with_table = json.loads(call("attack", "past.yaml", "--known", "past-known.csv", "--json").out)
    assert [run["exposed"] for run in alone["runs"]] == [run["exposed"] for run in with_table["runs"]]
    assert call("check", "own.yaml").status == 0


@pytest.mark.parametrize(
    "command", [["crowds"], ["bucketize", "--r", "2", "--out", "x"], ["utility", "--release", "x"]], ids=" ".join
)
def test_what_needs_a_table_says_so(command: list[str], examples: Path, call: Call) -> None:
    Path("own.yaml").write_text(GROUPS)
    told = call(command[0], "own.yaml", *command[1:])
    assert told.status == 2
    assert "table is missing; only linkage of published: and attack of history: need none" in told.err


def test_statistics_of_a_table_that_is_not_there(examples: Path, call: Call) -> None:
    views = "views:\n  a: SELECT x FROM t\n"
    Path("own.yaml").write_text(GROUPS.replace("file: ward-knowledge.csv", "estimate: true") + views)
    assert "table is missing; only linkage of published:" in call("linkage", "own.yaml").err
    told = call("check", "own.yaml")
    assert told.status == 2
    assert "views: expected table: beside it; found none" in told.err


def test_a_release_of_nothing(examples: Path, call: Call) -> None:
    Path("own.yaml").write_text("private: disease\n")
    told = "own.yaml:1:1: table is missing; expected the path of a csv, tsv or parquet file\n"
    assert call("check", "own.yaml").err == told


def test_in_python(examples: Path) -> None:
    release = deniable.Release(
        private="disease",
        published=deniable.Published("ward-people.csv", "ward-values.csv", "group"),
        knowledge=[deniable.Knowledge(("gender",), file="ward-knowledge.csv")],
    )
    assert deniable.linkage(release).groups
    with pytest.raises(deniable.BadInput, match="release: table is missing"):
        deniable.crowds(release)
