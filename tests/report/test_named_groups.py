"""The worst join groups by name: whole, each once, the likeliest first, also where people stand in several."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

import deniable
from deniable.analyses.verdict import NamedGroup

ROWS = """name,place,job,problem
Ann,1,cook,flu
Bob,1,cook,flu
Ann,2,cook,cold
Cid,2,clerk,HIV
Dan,2,clerk,cold
Eve,3,clerk,flu
Fay,3,cook,HIV
Fay,4,cook,HIV
Gus,5,cook,flu
Hal,5,cook,flu
Ida,6,cook,cold
"""
TWO = "  a: SELECT name, place FROM t\n  b: SELECT place, problem FROM t\n"
FURTHER = "  a: SELECT name, place, job FROM t\n  b: SELECT place, problem FROM t\n"
APART = "  a: SELECT name, job FROM t\n  b: SELECT problem FROM t\n"
REVEALED = "  a: SELECT name, problem FROM t\n  b: SELECT place, problem FROM t\n"


def named(write: Callable[..., Path], views: str) -> tuple[Path, tuple[NamedGroup, ...]]:
    header = "table: t.csv\nidentifier: name\nprivate: problem\n"
    required = "require:\n  breach: {at_most: 0.5, adversaries: [unrestricted]}\n"
    path = write(t__csv=ROWS, t__yaml=f"{header}views:\n{views}{required}")
    verdict = deniable.audit(path, reveal=True)
    assert verdict.named is not None
    return path, verdict.named


@pytest.mark.parametrize("views", [TWO, FURTHER], ids=["names", "names and jobs"])
def test_groups_are_whole(views: str, write: Callable[..., Path]) -> None:
    path, groups = named(write, views)
    rows = list(csv.DictReader(ROWS.splitlines()))
    shown = ("name", "job") if views == FURTHER else ("name",)
    chance = {row["name"]: 0.0 for row in rows}
    for row in deniable.breach(path).table.to_pylist():
        if row["adversary"] == "unrestricted":
            chance[row["name"]] = max(chance[row["name"]], row["probability"])
    assert len({group.at for group in groups}) == len(groups) == 4
    assert [group.chance for group in groups] == sorted((group.chance or 0 for group in groups), reverse=True)
    for group in groups:
        inside = [row for row in rows if f"place = {row['place']}" == group.at]
        people = {", ".join(row[name] for name in shown) for row in inside}
        assert (set(group.people), group.people_count) == (people, len(people))
        assert set(group.values) == {row["problem"] for row in inside}
        assert group.values_count == len(group.values)
        assert group.chance == max(chance[row["name"]] for row in inside)


def test_one_group_of_all_is_named_once(write: Callable[..., Path]) -> None:
    _, groups = named(write, APART)
    assert [(group.at, group.people_count, group.values_count) for group in groups] == [("", 9, 3)]


def test_people_stand_alone_where_a_view_shows_what_they_have(write: Callable[..., Path]) -> None:
    _, groups = named(write, REVEALED)
    assert [group.chance for group in groups] == [1.0] * 4
    assert [(group.people, group.values) for group in groups] == [
        (("Ann",), ("cold", "flu")), (("Bob",), ("flu",)), (("Cid",), ("HIV",)), (("Dan",), ("cold",))
    ]  # fmt: skip
