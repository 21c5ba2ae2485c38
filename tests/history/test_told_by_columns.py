"""Whom `republish` promises 1/m against, and what one column's statistics make of its release: against all worlds."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

from deniable.analyses.linkage.column_statistics import NOBODY
from tests.cli.conftest import Call, call, folder  # noqa: F401
from tests.linkage.test_column_statistics import Row, largest

QUASI = ("sex", "city")
VALUES = ("Gout", "Flu", "Asthma", "Cold", "Mumps")


def person(k: int) -> dict[str, str]:
    """Women have more of the first values, and cities say little."""
    value = VALUES[k * k % 5 if k % 3 else k % 5]
    return {"name": f"p{k}", "sex": "mf"[k % 3 == 0], "city": "abcd"[k * 7 % 4], "problem": value}


def table(first: int, last: int, algorithm: str, more: str = "") -> dict[str, dict[str, str]]:
    rows = [person(k) for k in range(first, last)]
    with open("t.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    Path("t.yaml").write_text(
        f"table: t.csv\nidentifier: name\nquasi: [{', '.join(QUASI)}]\nprivate: problem\n"
        f"republish: {{m: 3, n: 2}}\nalgorithm: {algorithm}\nledger: t.ledger\n{more}"
    )
    return {row["name"]: row for row in rows}


def groups_of(release: int, people: dict[str, dict[str, str]], column: str) -> list[Row]:
    """The newest groups as the ledger tells them: a column's code, the value's and the group, for everybody."""
    with open("history.csv", newline="", encoding="utf-8") as file:
        seats = [row for row in csv.DictReader(file) if row["release"] == str(release)]
    codes = sorted({row[column] for row in people.values()})
    rows: list[Row] = []
    for seat in seats:
        code = codes.index(people[seat["name"]][column]) if seat["name"] else NOBODY
        rows.append((code, VALUES.index(seat["problem"]), int(seat["group"])))
    missing = set(people) - {seat["name"] for seat in seats}
    rows += [(codes.index(people[who][column]), VALUES.index(people[who]["problem"]), -1) for who in sorted(missing)]
    return rows


@pytest.mark.parametrize("algorithm", ["stable", "cor-split", "m-invariance"])
def test_the_people_above_1_m_by_each_column_are_those_of_all_worlds(
    folder: Path,  # noqa: F811
    call: Call,  # noqa: F811
    algorithm: str,
) -> None:
    for number, (first, last) in enumerate([(0, 24), (5, 30)], 1):
        people = table(first, last, algorithm)
        options = ["--begin"] if number == 1 else ["--withhold"]
        told = call("republish", "t.yaml", "--out", f"r{number}", "--json", "--seed", "5", *options)
        assert told.status == 0, told.err
        made = json.loads(told.out)
        assert call("ledger", "t.yaml", "--out", "history.csv").status == 0
        assert [one["given"] for one in made["without_knowledge"]] == list(QUASI)
        for one in made["without_knowledge"]:
            rows = groups_of(number, people, one["given"])
            placed = [row for row in rows if row[2] >= 0 and row[0] != NOBODY]
            found = {row: max(largest(rows, row, adversary) for adversary in (0, 1)) for row in set(placed)}
            assert one["people"] == made["people"] == len(placed)
            assert (one["over"], one["undecided"]) == (sum(found[row] > Fraction(1, 3) for row in placed), 0)
            assert one["worst"] == pytest.approx(float(max(found.values())))
        assert made["holds_for"] == ["somebody who knows nothing"]
        most = max(made["without_knowledge"], key=lambda one: (one["over"], one["worst"]))
        assert (made["tells_most"], most["over"] > 0) == (most["given"], True)


def test_republish_says_for_whom_1_m_holds_and_which_column_tells_most(folder: Path, call: Call) -> None:  # noqa: F811
    table(0, 24, "stable")
    told = call("republish", "t.yaml", "--out", "one", "--begin", "--dry-run", "--seed", "5").out
    made = json.loads(call("republish", "t.yaml", "--out", "one", "--begin", "--seed", "5", "--json").out)
    sex, city = made["without_knowledge"]
    most = max(made["without_knowledge"], key=lambda one: (one["over"], one["worst"]))
    lines = told.splitlines()
    assert lines[-2] == (
        "1/3, the chance of a guess in this release, holds against somebody who knows nothing of how values are spread"
    )
    assert lines[-1] == (
        f"who knows how often each problem occurs by one column is above 1/3 for: sex {sex['over']}, city "
        f"{city['over']} of 24 people; {most['given']} tells most, a chance of {most['worst']:.4g} for somebody"
    )
    assert not any(value in told for value in VALUES)


def test_columns_that_tell_nothing_are_said_to(folder: Path, call: Call) -> None:  # noqa: F811
    lines = "".join(f"p{k},{'ab'[k // 3 % 2]},x,{'uvw'[k % 3]}\n" for k in range(12))
    table(0, 24, "stable")
    Path("t.csv").write_text(f"name,sex,city,problem\n{lines}")
    told = call("republish", "t.yaml", "--out", "one", "--begin").out
    assert "who knows how often each problem occurs by one column is above 1/3 for nobody (sex, city)\n" in told


def test_what_was_not_counted_is_not_said_to_be_nobody(folder: Path, call: Call) -> None:  # noqa: F811
    table(0, 24, "stable")
    told = call("republish", "t.yaml", "--out", "one", "--begin", "--no-audit", "--dry-run").out
    assert told.endswith("how values are spread; what columns tell was not counted (--no-audit)\n")
    made = json.loads(call("republish", "t.yaml", "--out", "one", "--begin", "--no-audit", "--json").out)
    assert (made["without_knowledge"], made["tells_most"]) == (None, None)
