"""A release keeps to the counterfeits that were asked for, or it is refused before anything is published."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.test_republish import QUIET, listing, people, ward

ASKED = "{m: 3, n: 2, counterfeits: {at_most: 0.1}}"
STABLE = ("--algorithm", "stable", QUIET)


def without(table: str, *gone: int) -> str:
    """The table without some of its people."""
    return "".join(line for line in table.splitlines(True) if line.split(",")[0] not in {f"p{k}" for k in gone})


@pytest.fixture
def shrunken(folder: Path, call: Call) -> None:
    """A third of the people leave after the first release, and nobody comes."""
    ward(people(0, 30), ASKED)
    assert call("republish", "ward.yaml", "--out", "one", "--begin", *STABLE).status == 0
    ward(without(people(0, 30), *range(0, 30, 3)), ASKED)


@pytest.mark.usefixtures("shrunken")
def test_more_than_asked_for_is_refused_with_what_can_be_had(call: Call) -> None:
    before = listing()
    told = call("republish", "ward.yaml", "--out", "two", *STABLE, "--seed", "1")
    assert (told.status, told.out) == (1, "")
    found = re.fullmatch(
        r"this release would have (\d+\.\d)% counterfeits, where 0\.1 of the rows were asked for: of (\d+), 0 stand in "
        r"groups of people who returned when their places were taken, the others keep places of people who left, for "
        r"which too few newcomers have the values; within reach: counterfeits: \{at_most: (0\.\d\d)\}; "
        r"--unusual counterfeits publishes it\n",
        told.err,
    )
    assert found is not None, told.err
    assert listing() == before
    ward(Path("ward.csv").read_text(), ASKED.replace("0.1", found[3]))
    made = json.loads(call("republish", "ward.yaml", "--out", "two", *STABLE, "--seed", "1", "--json").out)
    share = made["counterfeits"] / (made["counterfeits"] + made["people"])
    assert 0.12 < share <= float(found[3]) + 0.02


@pytest.mark.usefixtures("shrunken")
def test_more_than_asked_for_is_published_where_that_is_allowed(call: Call) -> None:
    told = call("republish", "ward.yaml", "--out", "two", "--unusual", "counterfeits", *STABLE)
    assert told.status == 0
    assert "counterfeits, more than the 10.00% asked for" in told.out


@pytest.mark.usefixtures("shrunken")
def test_where_nothing_was_asked_for_it_is_published(call: Call) -> None:
    ward(Path("ward.csv").read_text(), "{m: 3, n: 2}")
    assert call("republish", "ward.yaml", "--out", "two", *STABLE).status == 0


def test_people_who_return_late_are_named_as_the_reason(folder: Path, call: Call) -> None:
    """All but six leave and others take their places; then they return."""
    ward(people(0, 30), ASKED)
    assert call("republish", "ward.yaml", "--out", "one", "--begin", *STABLE).status == 0
    ward(without(people(0, 54), *range(6, 30)), ASKED)
    unusual = ("--unusual", "gone", "--unusual", "counterfeits")
    assert call("republish", "ward.yaml", "--out", "two", *unusual, *STABLE).status == 0
    ward(without(people(0, 30), 0, 1, 2, 3, 4, 5), ASKED)
    told = call("republish", "ward.yaml", "--out", "three", "--unusual", "gone", *STABLE)
    assert told.status == 1
    counterfeits, beside = map(int, re.findall(r"of (\d+), (\d+) stand in groups of people who returned", told.err)[0])
    assert beside > counterfeits / 2
