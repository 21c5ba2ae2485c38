"""People who are kept back or changed: counted on the screen, listed in a private file, and counted as exposed."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.test_republish import QUIET, listing, people, read, ward

SKEWED = people(0, 12) + "".join(f"secretly{k},3{k},a,u\n" for k in range(4))
DIAL = "{m: 6, n: 2, counterfeits: {at_most: 0}}"


def test_who_is_withheld_is_listed_in_a_private_file_only(folder: Path, call: Call) -> None:
    """They all have the same value: their names in a row are that value."""
    ward(SKEWED, DIAL)
    told = call("republish", "ward.yaml", "--out", "one", "--begin", "--withhold", "--withheld", "kept.csv", QUIET)
    assert told.status == 0
    assert told.err == "4 people are kept back: appearing a release late tells their value, so each counts as exposed\n"
    assert "4 people are kept for the next release (who: --withheld FILE, a private file)\n" in told.out
    assert "secretly" not in told.out + told.err
    assert stat.S_IMODE(Path("kept.csv").stat().st_mode) == 0o600
    rows = read("kept.csv")
    assert (list(rows[0]), len(rows)) == (["name"], 4)


@pytest.mark.parametrize("option", ["--withheld", "--changed"])
@pytest.mark.parametrize("file", ["one/kept.csv", "kept.parquet", "nowhere/kept.csv"])
def test_a_private_list_is_not_published(option: str, file: str, folder: Path, call: Call) -> None:
    ward(SKEWED, DIAL)
    before = listing()
    told = call("republish", "ward.yaml", "--out", "one", "--begin", "--withhold", option, file, QUIET)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(f"{option}: expected a ")
    assert listing() == before


def test_who_changed_and_in_which_columns(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    ward(people(0, 30).replace("p3,41,a,x", "p3,41,a,y").replace("p4,48,b,y", "p4,49,a,y"))
    told = call("republish", "ward.yaml", "--out", "two", "--changed", "who.csv", QUIET)
    assert "; 2 people have others now (problem 1, age 1, city 1); " in told.err
    assert not Path("who.csv").exists()  # a run that ends with 2 leaves nothing behind
    assert "p3" not in told.err
    options = ("--dry-run", "--new-episode", "--withhold", "--changed", "who.csv", QUIET)
    told = call("republish", "ward.yaml", "--out", "two", *options)
    assert "2 people are published as somebody new (who, and what changed: --changed FILE, a private file)" in told.out
    assert read("who.csv") == [{"name": "p3", "columns": "problem"}, {"name": "p4", "columns": "age, city"}]
    assert stat.S_IMODE(Path("who.csv").stat().st_mode) == 0o600
    assert not Path("two").exists()


def tiny(*rows: str) -> None:
    """Who has which value."""
    Path("tiny.csv").write_text("name,age,problem\n" + "".join(f"{row[:2]},{30 + k},{row[2]}\n" for k, row in
                                                               enumerate(rows)))  # fmt: skip
    Path("tiny.yaml").write_text("table: tiny.csv\nidentifier: name\nquasi: age\nprivate: problem\n"
                                 "republish: {m: 3, n: 1, counterfeits: {at_most: 0}}\n"
                                 "require: {history: {exposed_at_most: 1, known: 0}}\n")  # fmt: skip


def test_whoever_was_kept_back_counts_as_exposed(folder: Path, call: Call) -> None:
    """Only newcomers of the too frequent value are kept back, so appearing a release late names it."""
    first = ["P1a", "P2b", "P3c", "Q1a", "Q2b", "Q3c"]
    second = [*first, "X1a", "X2a", "X3b", "X4c", "X5a"]
    third = [*second, "Y1b", "Y2c", "Y3b", "Y4c"]
    tiny(*first)
    assert call("republish", "tiny.yaml", "--out", "one", "--begin", QUIET).status == 0
    tiny(*second)
    file = Path("tiny.yaml").read_text()
    Path("tiny.yaml").write_text(file.replace("exposed_at_most: 1", "exposed_at_most: 0"))
    before = listing()
    told = call("republish", "tiny.yaml", "--out", "two", "--withhold")
    assert told.status == 1
    assert "2 people are kept back: appearing a release late tells their value, so each counts" in told.err
    assert "with this release 2 of 11 people would be exposed" in told.err
    assert listing() == before
    Path("tiny.yaml").write_text(file)
    made = json.loads(call("republish", "tiny.yaml", "--out", "two", "--withhold", "--withheld", "k.csv", "--json").out)
    kept = {row["name"] for row in read("k.csv")}
    assert len(kept) == made["exposure"]["exposed"] == made["exposure"]["kept_back"] == 2
    for number, rows in ((2, second), (3, third)):
        if number == 3:
            tiny(*rows)
            made = json.loads(call("republish", "tiny.yaml", "--out", "three", "--withhold", "--json").out)
            assert (made["people"], made["exposure"]["exposed"], made["exposure"]["kept_back"]) == (15, 2, 2)
        assert call("attack", "tiny.yaml", "--out", f"attack{number}.csv").status == 0
        found = read(f"attack{number}.csv")
        assert len(found) == len(rows)
        assert {row["name"] for row in found if row["exposed"] == "true"} == kept
        assert all(row["upper"] == "1.0" and row["bound"] == "proved" for row in found if row["name"] in kept)
        Path("audit.yaml").write_text(
            file.replace("exposed_at_most: 1", "exposed_at_most: 0") + "ledger: tiny.ledger\n"
        )
        (check,) = json.loads(call("audit", "audit.yaml", "--json").out)["checks"]
        assert (check["verdict"], check["over"], check["of"]) == ("fail", 2, len(rows))


def test_an_empty_identifier_is_nobody(folder: Path, call: Call) -> None:
    ward(people(0, 30) + ',30,a,u\n"",31,b,v\n')
    told = call("republish", "ward.yaml", "--out", "one", "--begin", QUIET)
    assert told.status == 2
    assert told.err == ("ward.yaml:1:8: ward.csv: expected an identifier for everybody; 2 rows have nothing in name\n")
    assert "expected an identifier for everybody" in call("check", "ward.yaml").err


def test_a_known_file_with_a_header_only_knows_nobody(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    Path("known.csv").write_text("name,problem\n")
    told = call("attack", "ward.yaml", "--known", "known.csv", "--json")
    assert (told.status, json.loads(told.out)["runs"][0]["known"]) == (0, 0)


def test_a_table_with_one_value_is_not_told_to_withhold(folder: Path, call: Call) -> None:
    ward(people(0, 30, "u"))
    told = call("republish", "ward.yaml", "--out", "one", "--begin", QUIET)
    assert told.status == 1
    assert told.err.endswith("a group needs 3 different values, so that --withhold would leave nobody\n")
