"""Publishing every quarter, with the accidents that happen: a lost ledger, the wrong table, the wrong folder."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from unittest.mock import Mock

import duckdb
import pytest

from deniable.analyses.history.chosen_algorithm import ChosenAlgorithm
from deniable.analyses.history.republish import Republished
from deniable.release import Counterfeits, Release, Republish
from deniable.report.history import republished_text
from tests.cli.conftest import Call, Copied, Outcome
from tests.cli.test_republish import QUIET, listing, people, ward
from tests.mistakes.test_mistakes import calls_without_privileges

MADE = r"\d{4}-\d\d-\d\d \d\d:\d\d"


def begin(call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0


@pytest.fixture
def begun(copied: Copied, call: Call) -> None:
    copied("begun", lambda: begin(call))


@pytest.fixture
def begun_here(folder: Path, call: Call) -> None:
    """For those who ask where the release is."""
    begin(call)


@pytest.fixture
def gone_on(copied: Copied, call: Call) -> None:
    """Two releases."""

    def make() -> None:
        begin(call)
        ward(people(6, 36))
        assert call("republish", "ward.yaml", "--out", "two", QUIET).status == 0

    copied("gone-on", make)


def refused(told: Outcome, wanted: str) -> None:
    """One line, exit status 2."""
    assert (told.status, told.out) == (2, "")
    assert re.fullmatch(wanted + "\n", told.err), told.err


def test_a_folder_that_was_forgotten_is_not_called_like_the_next_option(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    before = listing()
    told = call("republish", "ward.yaml", "--begin", QUIET, "--out", "--dry-run")
    refused(told, "--out: expected a value; found the option --dry-run")
    told = call("attack", "ward.yaml", "--known", "-h", "--out", "--json")
    refused(told, "--known: expected a value; found the option -h\n--out: expected a value; found the option --json")
    assert listing() == before
    assert "book.ledger: no such file" in call("explain", "ward.yaml", "--who", "--nobody").err


def test_nothing_is_no_path(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    before = listing()
    told = call("republish", "ward.yaml", "--begin", QUIET, "--out", "")
    refused(told, "--out: expected a path; found empty text")
    refused(call("check", ""), "SPEC: expected a path; found empty text")
    assert listing() == before


def test_a_lost_ledger_does_not_begin_a_new_history_silently(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    for options in ((), ("--dry-run",)):
        before = listing()
        told = call("republish", "ward.yaml", "--out", "one", QUIET, *options)
        refused(told, r"book\.ledger: no such file; expected the ledger of the releases so far: if this is the .*")
        assert "--begin begins a ledger" in told.err
        assert "put its ledger back or name it with ledger:" in told.err
        assert listing() == before


@pytest.mark.usefixtures("begun")
def test_begin_where_there_is_a_ledger(call: Call) -> None:
    ward(people(0, 36))
    before = listing()
    told = call("republish", "ward.yaml", "--out", "two", "--begin", QUIET)
    refused(told, rf"book\.ledger: there is a ledger already, whose last release is 1 of {MADE}; without --begin .*")
    assert listing() == before


@pytest.mark.usefixtures("begun")
def test_every_run_names_the_ledger_its_last_release_and_what_to_do_with_what(call: Call) -> None:
    ward(people(0, 36))
    dry = call("republish", "ward.yaml", "--out", "two", "--dry-run", QUIET).out.splitlines()
    assert re.fullmatch(rf"ledger: book\.ledger, whose last release was 1 of {MADE}", dry[1])
    lines = call("republish", "ward.yaml", "--out", "two", QUIET).out.splitlines()
    assert lines[1] == dry[1]
    assert lines[-1] == (
        "publish two; keep secret book.ledger, its journal and ward.csv; back up book.ledger, without which no next "
        "release is safe"
    )
    ward(people(3, 36))
    made = json.loads(call("republish", "ward.yaml", "--out", "three", "--json", QUIET).out)
    assert (made["ledger"], made["last"]["release"]) == ("book.ledger", 2)


@pytest.mark.usefixtures("gone_on")
@pytest.mark.parametrize(
    ("word", "table", "wanted"),
    [
        ("same-table", people(6, 36), rf"this table is that of release 2, the last one, made {MADE}; .*"),
        ("old-table", people(0, 30), rf"this table is that of release 1, an old one, made {MADE}; .*"),
        (
            "identifiers",
            people(6, 36).replace("p", "0p").replace("0problem", "problem"),
            rf"only 0 of the 30 people of release 2 \({MADE}\) are in this table, and 30 people are new: are .*",
        ),
        ("gone", people(22, 36), rf"16 of the 30 people of release 2 \({MADE}\) are not in this table: is it .*"),
    ],
)
def test_a_table_that_does_not_look_like_the_next_one(word: str, table: str, wanted: str, call: Call) -> None:
    ward(table)
    others = [one for one in ("same-table", "old-table", "identifiers", "gone") if one != word]
    for options in ([], [part for one in others for part in ("--unusual", one)]):
        before = listing()
        told = call("republish", "ward.yaml", "--out", "three", QUIET, *options)
        refused(told, rf"ward\.csv: {wanted}")
        assert f"--unusual {word} publishes it" in told.err
        assert listing() == before
    for allowed in (word, "all"):
        told = call("republish", "ward.yaml", "--out", "three", QUIET, "--dry-run", "--unusual", allowed)
        assert told.status == 0, told.err
    assert call("republish", "ward.yaml", "--out", "three", QUIET, "--unusual", word).status == 0


@pytest.mark.usefixtures("begun")
def test_half_of_the_people_gone_is_usual(call: Call) -> None:
    ward(people(15, 36))
    assert call("republish", "ward.yaml", "--out", "two", QUIET).status == 0


@pytest.mark.usefixtures("begun")
def test_nearly_everybody_gone_and_nobody_new(call: Call) -> None:
    """It may be said in either word: under a tenth recur, and more than half are gone."""
    ward(people(28, 30))
    assert "is it complete? --unusual gone" in call("republish", "ward.yaml", "--out", "two", QUIET).err
    for word in ("gone", "identifiers"):
        assert call("republish", "ward.yaml", "--out", "two", QUIET, "--dry-run", "--unusual", word).status == 0


@pytest.mark.usefixtures("begun")
def test_a_folder_that_holds_a_release(call: Call) -> None:
    ward(people(0, 36))
    before = listing()
    told = call("republish", "ward.yaml", "--out", "one", QUIET)
    refused(told, ".*/one: expected a folder without a release; found release.csv and counterfeits.csv, which stay .*")
    assert listing() == before


def test_a_folder_that_holds_what_is_private(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    before = listing()
    told = call("republish", "ward.yaml", "--out", ".", "--begin", QUIET)
    refused(told, ".*: expected a folder that holds only what may be published; found book.ledger and ward.csv in it")
    assert listing() == before


@pytest.mark.parametrize(
    ("counterfeits", "told"),
    [(None, "that stable groups keep to unless counterfeits: says otherwise"), (0.2, "asked for")],
)
def test_more_counterfeits_than_nobody_asked_for(counterfeits: float | None, told: str) -> None:
    """20.0% were called more than the 20.0% asked for, where nothing had been asked."""
    given = Republish(3, 1, counterfeits=None if counterfeits is None else Counterfeits(counterfeits))
    release = Release("t.csv", republish=given)
    made = Republished(release, 2, ChosenAlgorithm("stable", 3, 1, 0.2), 39_979, 0, 9_999, 10_021)
    wanted = f"that is 20.04% counterfeits, more than the 20.00% {told}: too few newcomers have the values that lack"
    assert wanted in republished_text(made, "two", dry_run=True)


@pytest.mark.usefixtures("begun_here")
def test_the_ledger_lists_its_releases(folder: Path, call: Call) -> None:
    ward(people(6, 33))
    assert call("republish", "ward.yaml", "--out", "two", QUIET).status == 0
    told = json.loads(call("ledger", "ward.yaml", "--json").out)
    first, second = told["history"]
    counts = [(one["release"], one["people"], one["new"], one["gone"], one["written"]) for one in (first, second)]
    assert counts == [(1, 30, 30, 0, True), (2, 27, 3, 6, True)]
    assert [one["folder"] for one in (first, second)] == [str(folder / "one"), str(folder / "two")]
    assert second["digest"] == hashlib.sha256(Path("two/release.csv").read_bytes()).hexdigest()
    assert (told["written"], told["people"], told["private"]) == (second["made"], 33, "problem")
    out = call("ledger", "ward.yaml").out
    assert re.search(rf"last written {MADE}\nidentifier name; quasi age, city; private problem\n", out)
    assert re.search(rf"\n  2 +{MADE} +27 +3 +6 +{second['digest'][:12]} +{folder}/two\n", out)


def stop_before_it_is_written(monkeypatch: pytest.MonkeyPatch, call: Call, *options: str) -> None:
    """As a disk does that is full."""
    with monkeypatch.context() as patched:
        patched.setattr("deniable.ledgers.outbox.staged", Mock(side_effect=OSError(28, "No space left on device")))
        assert call("republish", "ward.yaml", "--out", "stopped", QUIET, *options).status == 3


@pytest.mark.parametrize("algorithm", ["stable", "cor-split"])
def test_a_release_that_was_never_written_out_is_taken_back(
    algorithm: str, folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ("--algorithm", algorithm)
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET, *named).status == 0
    assert call("ledger", "ward.yaml", "--out", "before.csv").status == 0
    ward((people(4, 30) + people(30, 38, "uvwxyzkl").split("\n", 1)[1]).replace("p5,55,c,", "p5,56,c,"))
    stop_before_it_is_written(monkeypatch, call, "--new-episode", "--withhold", *named)
    told = call("republish", "ward.yaml", "--undo")
    assert told.status == 0, told.err
    line = rf"release 2 was taken back: it was never written out; the last release in book\.ledger is 1 of {MADE}\n"
    assert re.fullmatch(line, told.out)
    assert call("ledger", "ward.yaml", "--verify").status == 0
    assert call("ledger", "ward.yaml", "--out", "after.csv").status == 0
    assert Path("after.csv").read_bytes() == Path("before.csv").read_bytes()
    ward(people(0, 36))
    assert call("republish", "ward.yaml", "--out", "two", QUIET, *named).status == 0
    assert call("ledger", "ward.yaml", "--verify").status == 0


def test_a_first_release_that_was_never_written_out(folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    ward(people(0, 30))
    stop_before_it_is_written(monkeypatch, call, "--begin")
    told = json.loads(call("republish", "ward.yaml", "--undo", "--json").out)
    assert told == {"schema": "deniable.undo.v1", "undone": 1, "ledger": "book.ledger", "last": None}
    assert sorted(listing()) == ["ward.csv", "ward.yaml"]
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0


@pytest.mark.usefixtures("begun_here")
def test_what_was_written_out_is_not_taken_back(call: Call) -> None:
    before = listing()
    told = call("republish", "ward.yaml", "--undo")
    refused(told, rf"book\.ledger: release 1 of {MADE} was written out, and somebody may have it: .*")
    assert listing().keys() == before.keys()
    with duckdb.connect("book.ledger") as book:
        book.execute("UPDATE releases SET written = false")  # as a run leaves it that is stopped right then
    told = call("republish", "ward.yaml", "--undo")
    refused(told, r"book\.ledger: files of release 1 are in .*/one, and somebody .*")


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("shut", ["book.ledger", "."])
def test_a_ledger_that_may_only_be_read(shut: str, folder: Path) -> None:
    text = Path("ward.yaml").read_text()
    Path("ward.yaml").write_text(text + "require: {history: {exposed_at_most: 1}}\n")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    Path(shut).chmod(0o444 if shut == "book.ledger" else 0o555)
    commands = ("ledger ward.yaml", "ledger ward.yaml --verify", "attack ward.yaml", "audit ward.yaml")
    for command, (status, out, err) in zip(commands, calls_without_privileges(folder, *commands), strict=True):
        assert status == 0, (command, err)
        assert err.startswith("book.ledger: others may read this ledger"), (command, err)
        assert err.count("\n") == 1
        assert out
