"""`explain` of a table that was published again and again explains those releases."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import deniable
from deniable.examples import write_examples
from tests.cli.conftest import Call, Copied, call, copied, folder  # noqa: F401


def rows_of(path: str) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def quarters(copied: Copied, call: Call) -> None:  # noqa: F811
    def make() -> None:
        write_examples(Path("example"))
        assert call("republish", "example/quarter1.yaml", "--out", "first", "--begin", "--no-audit").status == 0
        assert call("republish", "example/quarter2.yaml", "--out", "second", "--no-audit").status == 0

    copied("quarters", make)


def explained(call: Call, spec: str, *who: str) -> list[dict[str, Any]]:  # noqa: F811
    told = call("explain", spec, "--who", *who, "--json")
    assert (told.status, told.err) == (0, "")
    document = json.loads(told.out)
    assert document["who"] == list(who)
    respondents: list[dict[str, Any]] = document["respondents"]
    return respondents


@pytest.mark.usefixtures("quarters")
def test_the_groups_of_a_person_are_those_that_were_published(call: Call) -> None:  # noqa: F811
    call("ledger", "example/quarter2.yaml", "--out", "history.csv")
    seats = [seat for seat in rows_of("history.csv") if seat["name"] == "Erica"]
    (erica,) = explained(call, "example/quarter2.yaml", "Erica")
    assert [(str(one["release"]), str(one["group"])) for one in erica["groups"]] == [
        (seat["release"], seat["group"]) for seat in seats
    ]
    assert len(seats) == 2
    for group, name in zip(erica["groups"], ("first", "second"), strict=True):
        published = Counter(r["disease"] for r in rows_of(f"{name}/release.csv") if r["group"] == str(group["group"]))
        assert {one["value"]: one["rows"] for one in group["values"]} == published
        assert group["people"] + group["counterfeits"] == sum(published.values())
    assert erica["true_value"] == ["AIDS"]


@pytest.mark.usefixtures("quarters")
def test_everybody_is_explained_as_attack_answers(call: Call) -> None:  # noqa: F811
    call("attack", "example/quarter2.yaml", "--out", "attack.csv")
    people = rows_of("attack.csv")
    assert len(people) == 8
    for row in people:
        (one,) = explained(call, "example/quarter2.yaml", row["name"])
        assert (one["values"], one["bound"]) == (int(row["values"]), row["bound"])
        assert [one[name] for name in ("probability", "lower", "upper")] == [
            float(row[name]) for name in ("probability", "lower", "upper")
        ]
        assert one["exposed"] == (row["exposed"] == "true")


@pytest.mark.usefixtures("quarters")
def test_one_person_as_text(call: Call) -> None:  # noqa: F811
    told = call("explain", "example/quarter2.yaml", "--who", "Alice").out
    assert told.startswith(
        "Alice in quarter2: in 1 of 2 releases\n\n  release   group   people   counterfeits   values\n"
    )
    assert told.endswith(
        "To somebody who keeps all releases and knows nobody, 3 values stay possible for Alice.\n"
        "The chance of the true value, cancer, is 0.3333 (exact).\n"
    )
    shown = deniable.explain("example/quarter2.yaml", "Alice")
    assert f"{shown}\n" == told
    assert "Alice" not in repr(shown)
    assert "cancer" not in repr(shown)


@pytest.mark.usefixtures("quarters")
def test_somebody_who_was_never_published(call: Call) -> None:  # noqa: F811
    told = call("explain", "example/quarter2.yaml", "--who", "Eric")
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("--who: nobody in example/quarters.ledger is called Eric (did you mean Erica?)")
    told = call("explain", "example/quarter2.yaml", "--who", "Erica", "Carl")
    assert (told.status, told.err) == (2, "--who: expected a value for each of name; found 2\n")


def test_releases_that_others_published(folder: Path, call: Call) -> None:  # noqa: F811
    write_examples(Path("example"))
    (erica,) = explained(call, "example/past.yaml", "Erica")
    assert [(one["release"], one["group"], one["people"]) for one in erica["groups"]] == [(1, None, 3), (2, None, 3)]
    assert (erica["values"], erica["bound"]) == (3, "exact")


def test_no_ledger_yet(folder: Path, call: Call) -> None:  # noqa: F811
    write_examples(Path("example"))
    told = call("explain", "example/quarter1.yaml", "--who", "Erica")
    assert (told.status, told.out) == (2, "")
    assert "example/quarters.ledger" in told.err


def wards(people: str) -> None:
    Path("t.csv").write_text(f"name,sex,disease\n{people}")
    Path("t.yaml").write_text(
        "table: t.csv\nidentifier: name\nquasi: [sex]\nprivate: disease\nrepublish: {m: 2, n: 1}\n"
        "algorithm: cor-split\nledger: t.ledger\n"
    )


def test_whoever_was_kept_back_is_said_to_be_exposed(folder: Path, call: Call) -> None:  # noqa: F811
    wards("".join(f"p{k},f,{'Flu' if k else 'Gout'}\n" for k in range(4)))
    assert call("republish", "t.yaml", "--out", "one", "--begin", "--withhold", "--withheld", "kept.csv").status == 0
    waiting = rows_of("kept.csv")[0]["name"]
    (one,) = explained(call, "t.yaml", waiting)
    assert (one["groups"], one["kept_back"], one["exposed"], one["true_value"]) == ([], True, True, [])
    told = call("explain", "t.yaml", "--who", waiting).out
    assert "was kept back by a release, which tells their value, and so counts as exposed." in told
    assert "from 0 to 1" in told


def test_somebody_who_was_published_as_somebody_new_is_shown_twice(folder: Path, call: Call) -> None:  # noqa: F811
    wards("".join(f"p{k},f,{'uv'[k % 2]}\n" for k in range(4)))
    assert call("republish", "t.yaml", "--out", "one", "--begin").status == 0
    wards("p0,m,u\np1,m,v\np2,f,u\np3,f,v\n")
    assert call("republish", "t.yaml", "--out", "two", "--new-episode").status == 0
    first, second = explained(call, "t.yaml", "p0")
    assert [[group["release"] for group in one["groups"]] for one in (first, second)] == [[1], [2]]
    assert (
        "p0 in t (published as somebody new: 2 of 2): in 1 of 2 releases"
        in call("explain", "t.yaml", "--who", "p0").out
    )
