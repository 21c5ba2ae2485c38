"""A table whose columns change between releases: renamed with `rename:`, new from now on, and never left out."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call, Copied, Outcome
from tests.cli.test_republish import QUIET, listing, read
from tests.cli.test_republish_accidents import stop_before_it_is_written

JOBS = ("cook", "clerk", "smith", "nurse")


def table(first: int, last: int, *columns: str) -> str:
    """People with these columns, whatever they are called: a person's cells never change."""
    cells = {
        "name": "p{k}", "patient": "p{k}", "age": "{age}", "years": "{age}", "city": "{city}", "town": "{city}",
        "problem": "{value}", "illness": "{value}", "job": "{job}", "shoe": "{shoe}",
    }  # fmt: skip
    rows = [
        ",".join(cells[name] for name in columns).format(
            k=k, age=20 + k * 7 % 60, city="abc"[k % 3], value="uvwxyz"[k % 6], job=JOBS[k % 4], shoe=36 + k % 9
        )
        for k in range(first, last)
    ]
    return "\n".join([",".join(columns), *rows, ""])


def ward(text: str, quasi: str = "age, city", more: str = "", who: str = "name", private: str = "problem") -> None:
    Path("ward.csv").write_text(text)
    Path("ward.yaml").write_text(
        f"table: ward.csv\nidentifier: {who}\nquasi: [{quasi}]\nprivate: {private}\n"
        f"republish: {{m: 3, n: 2}}\nledger: book.ledger\n{more}"
    )


def headings(folder: str) -> list[str]:
    with open(f"{folder}/release.csv", newline="") as file:
        return next(csv.reader(file))


def publish(call: Call, folder: str, *options: str) -> Outcome:
    told = call("republish", "ward.yaml", "--out", folder, QUIET, *options)
    assert told.status == 0, told.err
    return told


def verified(call: Call) -> None:
    told = call("ledger", "ward.yaml", "--verify")
    assert told.status == 0, told.out


@pytest.fixture
def begun(request: pytest.FixtureRequest, copied: Copied, call: Call) -> tuple[str, str]:
    """A first release about age and city; the options of the next ones."""
    options = ("--algorithm", str(getattr(request, "param", "cor-split")))

    def make() -> None:
        ward(table(0, 30, "name", "age", "city", "problem"))
        publish(call, "one", "--begin", *options)

    copied(f"columns-{options[1]}", make)
    return options


ALGORITHMS = pytest.mark.parametrize("begun", ["stable", "cor-split"], indirect=True)


def test_a_column_with_another_name_goes_on(begun: tuple[str, str], call: Call) -> None:
    rename = "rename: {town: city}\n"
    ward(table(3, 33, "name", "age", "town", "problem"), "age, town", rename)
    assert call("check", "ward.yaml").status == 0
    told = publish(call, "two", *begun)
    assert "30 people (3 new)" in told.out
    assert "\ntown is what city was\n" in told.out
    assert headings("two") == ["group", "age_low", "age_high", "town", "problem"]
    assert headings("one") == ["group", "age_low", "age_high", "city", "problem"]
    assert json.loads(call("ledger", "ward.yaml", "--json").out)["quasi"] == ["age", "town"]
    for more, folder in ((rename, "three"), ("", "four")):  # what was renamed may stay in the file, or go
        ward(table(6, 36 + len(folder), "name", "age", "town", "problem"), "age, town", more)
        assert "what city was" not in publish(call, folder, *begun).out
    verified(call)


def test_every_role_can_have_another_name_and_columns_another_order(begun: tuple[str, str], call: Call) -> None:
    text = table(3, 33, "illness", "town", "years", "patient")
    more = "rename: {town: city, years: age, patient: name, illness: problem}\n"
    ward(text, "town, years", more, "patient", "illness")
    assert "(3 new)" in publish(call, "two", *begun).out
    assert headings("two") == ["group", "years_low", "years_high", "town", "illness"]  # as in release 1
    verified(call)
    assert call("ledger", "ward.yaml", "--out", "history.csv").status == 0
    assert list(read("history.csv")[0]) == ["release", "group", "patient", "illness"]
    assert call("attack", "ward.yaml").status == 0


def test_the_same_table_under_other_names_is_the_same_table(begun: tuple[str, str], call: Call) -> None:
    ward(table(0, 30, "name", "age", "town", "problem"), "town, age", "rename: {town: city}\n")
    told = call("republish", "ward.yaml", "--out", "two", QUIET, *begun)
    assert "this table is that of release 1, the last one" in told.err


def test_cells_that_changed_are_noticed_under_another_name(begun: tuple[str, str], call: Call) -> None:
    text = table(0, 33, "name", "age", "town", "problem").replace("p5,55,c,", "p5,55,b,")
    ward(text, "town, age", "rename: {town: city}\n")
    told = call("republish", "ward.yaml", "--out", "two", QUIET, *begun)
    assert (told.status, "; 1 person has others now (town 1); " in told.err) == (2, True)


def test_numbers_stay_numbers_under_another_name(begun: tuple[str, str], call: Call) -> None:
    text = table(0, 33, "name", "years", "city", "problem").replace("p1,27,", "p1,27.0,")
    ward(text, "city, years", "rename: {years: age}\n")
    told = call("republish", "ward.yaml", "--out", "two", QUIET, *begun)
    assert "types: {years: number} reads them as before" in told.err


@ALGORITHMS
def test_a_new_column_is_published_from_now_on(begun: tuple[str, str], call: Call) -> None:
    columns = ("name", "job", "age", "city", "problem")
    ward(table(3, 33, *columns), "job, age, city")
    assert call("check", "ward.yaml").status == 0
    told = publish(call, "two", *begun)
    assert "(3 new)" in told.out
    assert "\njob is published from this release on\n" in told.out
    assert headings("two") == ["group", "age_low", "age_high", "city", "job", "problem"]
    ward(table(0, 36, *columns), "job, age, city")  # p0 was away when it came, and has one now
    assert "from this release on" not in publish(call, "three", *begun).out
    verified(call)
    for who, other in (("p0,cook", "p0,clerk"), ("p9,clerk", "p9,cook"), ("p34,smith", "p34,cook")):
        ward(table(0, 39, *columns).replace(f"{who},", f"{other},"), "job, age, city")
        told = call("republish", "ward.yaml", "--out", "four", QUIET, *begun)
        assert "; 1 person has others now (job 1); " in told.err, who


@ALGORITHMS
def test_new_columns_one_after_the_other(begun: tuple[str, str], call: Call) -> None:
    ward(table(3, 33, "name", "job", "age", "city", "problem"), "job, age, city")
    publish(call, "two", *begun)
    ward(
        table(6, 36, "name", "job", "age", "shoe", "town", "problem"), "shoe, job, age, town", "rename: {town: city}\n"
    )
    told = json.loads(publish(call, "three", "--json", *begun).out)
    assert (told["renamed"], told["added"]) == ({"town": "city"}, ["shoe"])
    assert headings("three") == ["group", "age_low", "age_high", "town", "job", "shoe_low", "shoe_high", "problem"]
    ward(table(0, 39, "name", "job", "age", "shoe", "town", "problem"), "job, age, shoe, town")
    publish(call, "four", *begun)
    verified(call)
    ward(table(0, 42, "name", "job", "age", "shoe", "town", "problem").replace("p4,cook,48,40,", "p4,nurse,48,41,"),
         "job, age, shoe, town")  # fmt: skip
    told = call("republish", "ward.yaml", "--out", "five", QUIET, *begun)
    assert "; 1 person has others now (job 1, shoe 1); " in told.err


def test_a_release_with_new_columns_is_taken_back(
    begun: tuple[str, str], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    ward(table(3, 33, "name", "job", "age", "town", "problem"), "job, age, town", "rename: {town: city}\n")
    stop_before_it_is_written(monkeypatch, call, *begun)
    assert call("republish", "ward.yaml", "--undo").status == 0
    ward(table(0, 30, "name", "age", "city", "problem"))
    assert json.loads(call("ledger", "ward.yaml", "--json").out)["quasi"] == ["age", "city"]
    assert call("ledger", "ward.yaml", "--verify").status == 0
    ward(table(3, 33, "name", "shoe", "age", "city", "problem"), "shoe, age, city")
    publish(call, "two", *begun)
    verified(call)


def test_a_dry_run_renames_nothing(begun: tuple[str, str], call: Call) -> None:
    ward(table(3, 33, "name", "job", "age", "town", "problem"), "job, age, town", "rename: {town: city}\n")
    told = publish(call, "two", "--dry-run", *begun).out
    assert "\ntown is what city was; job is published from this release on\n" in told
    ward(table(3, 33, "name", "age", "city", "problem"))
    publish(call, "two", *begun)


LATER = "another table needs a ledger of its own"


REFUSED: list[tuple[dict[str, str], str]] = [
    (
        {"quasi": "age, town"},
        "book.ledger: the ledger has quasi: age, city; found age, town: columns of earlier releases are kept, and "
        f"one with another name now is named by rename: {{town: city}}; {LATER}\n",
    ),
    (
        {"quasi": "age"},
        "book.ledger: the ledger has quasi: age, city; found age: columns of earlier releases are kept, and "
        f"one with another name now is named by rename: {{NEW: city}}; {LATER}\n",
    ),
    (
        {"who": "patient"},
        "book.ledger: the ledger has identifier: name; found patient: columns of earlier releases are kept, and "
        f"one with another name now is named by rename: {{patient: name}}; {LATER}\n",
    ),
    (
        {"private": "illness", "more": "rename: {illness: city}\n", "quasi": "age"},
        "book.ledger: the ledger has quasi: age, city; found age: columns of earlier releases are kept, and "
        f"one with another name now is named by rename: {{NEW: city}}; {LATER}\n"
        "book.ledger: rename: expected a private column of earlier releases, which have problem; found city\n",
    ),
    (
        {"quasi": "age, town", "more": "rename: {town: citty}\n"},
        "book.ledger: rename: expected a quasi column of earlier releases, which have age, city; found citty "
        "(did you mean city?)\n",
    ),
    (
        {"quasi": "age, city", "more": "rename: {town: city}\n"},
        "ward.yaml:7:10: rename: expected a column of identifier, quasi or private; found town\n",
    ),
    (
        {"quasi": "age, town, city", "more": "rename: {town: city}\n"},
        "ward.yaml:7:16: rename.town: expected a name that no column of this release has now; found city\n",
    ),
    (
        {"quasi": "age, town, job", "more": "rename: {town: city, job: city}\n"},
        "ward.yaml:7:27: rename.job: expected every earlier name once; found city twice\n",
    ),
    (
        {"quasi": "age, town", "more": "rename: {towm: city, town: city}\n"},
        "ward.yaml:7:10: rename: unknown column towm (did you mean town?); expected one of name, patient, age, "
        "years, city, town, problem, illness, job\n",
    ),
    (
        {"quasi": "age, town", "more": "rename: [town]\n"},
        "ward.yaml:7:9: rename: expected keys with values; found a list\n",
    ),
]


def test_other_columns_are_refused_with_what_to_do(folder: Path, call: Call) -> None:
    ward(table(0, 30, "name", "age", "city", "problem"))
    publish(call, "one", "--begin")
    columns = ("name", "patient", "age", "years", "city", "town", "problem", "illness", "job")
    for given, wanted in REFUSED:
        ward(table(0, 33, *columns), **given)
        before = listing()
        told = call("republish", "ward.yaml", "--out", "two", QUIET)
        assert (told.status, told.out, told.err) == (2, "", wanted)
        assert listing() == before


def test_what_a_column_tells_is_said_of_that_column_in_any_order(begun: tuple[str, str], call: Call) -> None:
    told = []
    for quasi in ("age, city", "city, age"):
        ward(table(3, 33, "name", "age", "city", "problem"), quasi)
        made = call("republish", "ward.yaml", "--out", "two", "--dry-run", "--json", "--seed", "1", *begun)
        told.append(json.loads(made.out)["without_knowledge"])
    assert told[0] == told[1]
    assert [one["given"] for one in told[0]] == ["age", "city"]
