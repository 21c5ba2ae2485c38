"""What groups tell somebody who knows one column's statistics: against all worlds, and against `linkage`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.linkage import column_statistics
from deniable.analyses.linkage.column_statistics import NOBODY, column_tells
from deniable.report.bucketize import _flow
from deniable.spec import yaml
from deniable.worlds.judges import groups as judge
from tests.cli.conftest import Call, call, folder  # noqa: F401

Row = tuple[int, int, int]  # code, value, group


def largest(rows: list[Row], row: Row, adversary: int) -> Fraction:
    """Somebody's largest posterior, by listing the worlds of their group."""
    mine = [one for one in rows if one[2] == row[2]]
    kinds = sorted({value for _, value, _ in mine})

    def prior(code: int, value: int) -> Fraction:
        alike = [v for c, v, _ in rows if c != NOBODY and code in (c, NOBODY)]
        return Fraction(alike.count(value), len(alike))

    priors = [[prior(code, value) for value in kinds] for code, _, _ in mine]
    copies = [sum(v == value for _, v, _ in mine) for value in kinds]
    place, ones = mine.index(row), [1] * len(mine)
    if adversary:
        whole = judge.full(ones, copies, priors)  # type: ignore[arg-type]
        return Fraction(0) if whole is None else max(whole[place])
    found = [judge.marginal(ones, count, [row[x] for row in priors]) for x, count in enumerate(copies)]  # type: ignore[misc]
    return max((one[place] for one in found if one is not None), default=Fraction(0))


def arrays(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    codes, values, group_of = np.array(rows, np.int32).T
    return np.ascontiguousarray(codes), np.ascontiguousarray(values), np.ascontiguousarray(group_of)


def small(rows: list[Row]) -> bool:
    """Whether every group's worlds are soon listed."""
    return all(sum(group == g for _, _, group in rows) <= 5 for g in range(3))


people = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-1, 2))


@settings(max_examples=60)
@given(st.lists(people, min_size=1, max_size=8).filter(small), st.sampled_from([0.31, 0.47, 0.553, 0.81]))
def test_people_above_the_limit_are_those_whom_the_judge_finds(rows: list[Row], limit: float) -> None:
    told = column_tells(*arrays(rows), limit)
    placed = [row for row in rows if row[2] >= 0]
    truth = [[largest(rows, row, adversary) for adversary in (0, 1)] for row in placed]
    assert told.people == len(placed)
    assert (told.over_marginal, told.over_full) == tuple(sum(one[a] > limit for one in truth) for a in (0, 1))
    assert (told.over, told.undecided) == (sum(max(one) > limit for one in truth), 0)
    if placed:
        worst = float(max(map(max, truth)))
        assert told.worst <= worst + 1e-12
        assert worst <= told.worst_at_most + 1e-12
        assert told.worst_at_most - told.worst < 1e-9


def test_counterfeits_fill_groups_and_count_as_nobody() -> None:
    rows = [(0, 0, 0), (0, 1, 0), (1, 0, 1), (NOBODY, 1, 1), (1, 0, -1), (1, 1, -1)]
    told = column_tells(*arrays(rows), 0.5)
    assert told.people == 3
    assert told.over == sum(max(largest(rows, row, a) for a in (0, 1)) > Fraction(1, 2) for row in rows[:3]) == 1


def test_groups_that_take_too_long_are_not_decided_and_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(i % 6, i // 6 % 6, 0) for i in range(12)] + [(i, (i + 1) % 6, 0) for i in range(6)]
    exact = column_tells(*arrays(rows), 0.2)
    monkeypatch.setattr(column_statistics, "_STEPS", 0)
    bounded = column_tells(*arrays(rows), 0.2)
    assert bounded.over <= exact.over <= bounded.over + bounded.undecided
    assert bounded.worst <= exact.worst <= exact.worst_at_most <= bounded.worst_at_most
    monkeypatch.setattr(column_statistics, "_LARGEST", 0)
    nothing = column_tells(*arrays(rows), 0.2)
    assert (nothing.over, nothing.undecided, nothing.people) == (0, 18, 18)


RELEASE = "table: big.csv\nquasi: [sex, 'home town']\nprivate: disease\n"
PUBLISHED = "published: {people: out/people.csv, values: out/values.csv, group: group}\n"


def table() -> None:
    """Most men have Gout and most women Cold, so that groups must mix them; two towns."""
    rng = np.random.default_rng(1)
    lines = []
    for i in range(80):
        sick = rng.choice(["Gout", "Flu", "Asthma", "Cold"], p=[0.7, 0.1, 0.1, 0.1] if i % 2 else [0.1, 0.1, 0.1, 0.7])
        lines.append(f"{'m' if i % 2 else 'f'},{'A' if rng.random() < 0.5 else 'B'},{sick}\n")
    Path("big.csv").write_text("sex,home town,disease\n" + "".join(lines))
    Path("big.yaml").write_text(RELEASE)


@pytest.fixture
def made(folder: Path, call: Call) -> dict[str, object]:  # noqa: F811
    table()
    told = call("bucketize", "big.yaml", "--r", "2", "--seed", "3", "--out", "out", "--json")
    assert (told.status, told.err) == (0, "")
    document: dict[str, object] = json.loads(told.out)
    return document


def test_without_knowledge_the_sentence_says_for_whom_it_holds(folder: Path, call: Call) -> None:  # noqa: F811
    table()
    told = call("bucketize", "big.yaml", "--r", "2", "--seed", "3", "--out", "out").out
    first, *rest = told.splitlines()
    assert "no posterior above" not in told
    assert first.endswith("no value has more than 0.5 of its group (1/2 was asked)")
    assert rest[0] == "This holds against somebody who knows nothing of how values are spread."
    assert rest[1] == "Who knows how often each disease occurs by one column is above 1/2 for:"
    assert "To hold against them too, add to big.yaml:" in rest
    assert "  - {given: [sex], estimate: true}" in rest
    assert not any(value in told for value in ("Gout", "Flu", "Asthma", "Cold"))


def test_what_is_said_without_knowledge_is_what_linkage_finds(made: dict[str, object], call: Call) -> None:  # noqa: F811
    lines = "".join(f"  - {{given: [{_flow(name)}], estimate: true}}\n" for name in ("sex", "home town"))
    Path("big.yaml").write_text(f"{RELEASE}{PUBLISHED}knowledge:\n{lines}")
    found = json.loads(call("linkage", "big.yaml", "--json").out)["knowledge"]
    said = made["without_knowledge"]
    assert isinstance(said, list)
    assert [one["given"] for one in said] == [one["given"] for one in found] == ["sex", "home town"]
    for told, one in zip(said, found, strict=True):
        assert [told["over_marginal"], told["over_full"]] == [by["over"] for by in one["adversaries"]]
    assert said[0]["over"] > 0
    assert made["holds_for"] == ["somebody who knows nothing"]


def test_the_knowledge_that_is_named_is_what_to_add(made: dict[str, object], call: Call) -> None:  # noqa: F811
    lines = made["add"]
    assert isinstance(lines, list)
    Path("big.yaml").write_text(RELEASE + "knowledge:\n" + "".join(f"  {line}\n" for line in lines))
    release = yaml.load("big.yaml")
    said = made["without_knowledge"]
    assert isinstance(said, list)
    wanted = [(one["given"],) for one in said if one["over"]]
    assert [one.given for one in release.knowledge] == wanted
    told = call("bucketize", "big.yaml", "--r", "2", "--suppress", "--out", "safe", "--json")
    document = json.loads(told.out)
    assert document["holds_for"] == [f"somebody who knows {name}" for (name,) in wanted]
    assert "without_knowledge" not in document
    assert document["worst"] <= 0.5


def test_a_notebook_does_not_promise_more(folder: Path) -> None:  # noqa: F811
    table()
    shown = repr(deniable.bucketize("big.yaml", "out", r=2))
    assert "no value with a share of its group above 0.5" in shown
    assert "posterior" not in shown
