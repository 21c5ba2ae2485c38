"""Two views whose join is cut, people(id, z1) and values(z2, x, p): z0 is the id, z3 x and z4 the value."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import cut_groups
from deniable.sql.cut_groups import Side
from tests.sql.golden import Golden, table, uncovered

ROWS, SIDE0, SIDE1, GROUPS, PEOPLE = (Relation(f"{name}_1") for name in ("rows", "home", "other", "groups", "people"))
HOME = Side(SIDE0, 0, ["z0", "z1"], ["z1"])
SHARING = Side(SIDE0, 0, ["z0", "z1", "z5"], ["z1", "z5"])
OTHER = Side(SIDE1, 1, ["z2", "z3", "z4"], ["z2", "z4"])
JOINED = ["z0", "z1", "z2", "z3", "z4"]

# ann has two rows that are one tuple on the ID side, bob two tuples there, of which one is published twice.
rows = table(
    "i0 z0 z1 z2 z3 z4 z5", "ann ann 0-9 0-14 u Flu k", "ann ann 0-9 0-14 v Flu k", "bob bob 0-9 0-14 u HIV k",
    "bob bob 10-19 15-29 u HIV l", "bob bob 10-19 15-29 u HIV l",
)  # fmt: skip
side0 = table("z1 u0 mu0", "0-9 0 2", "10-19 1 1")
sharing = table("z1 z5 u0 mu0", "0-9 k 0 2", "10-19 k 1 1", "10-19 l 2 1")
side1 = table("z2 z4 u1 mu1", "0-14 Flu 0 2", "0-14 HIV 1 1", "15-29 HIV 2 1")

CASES = [
    Golden("groups", cut_groups.groups(HOME, []), {SIDE0: side0}, table("a g", "0 0", "1 0")),
    Golden(
        "groups-shared",
        cut_groups.groups(SHARING, ["z5"]),
        {SIDE0: sharing},
        table("a z5 g", "0 k 0", "1 k 0", "2 l 2"),
    ),
    Golden(
        "signatures",
        cut_groups.signatures(ROWS, HOME, GROUPS, ["i0"], [], JOINED),
        {ROWS: rows, SIDE0: side0, GROUPS: table("a g", "0 0", "1 0")},
        table("i0 types", "ann '0:2|0:2'", "bob '0:1 1:2|0:2'"),
    ),
    Golden(
        "signatures-shared",
        cut_groups.signatures(ROWS, SHARING, GROUPS, ["i0"], ["z5"], [*JOINED, "z5"]),
        {ROWS: rows, SIDE0: sharing, GROUPS: table("a z5 g", "0 k 0", "1 k 0", "2 l 2")},
        table("i0 types", "ann '0:2|0:2'", "bob '0:1 2:2|0:1 2:1'"),
    ),
    Golden(
        "kind_sizes",
        cut_groups.kind_sizes(PEOPLE),
        {PEOPLE: table("i0 kind", "ann 0", "bob 1", "cy 0")},
        table("kind many", "0 2", "1 1"),
    ),
    Golden(
        "value_sizes",
        cut_groups.value_sizes(ROWS, OTHER),
        {ROWS: rows, SIDE1: side1},
        table("b r many", "0 1 2", "1 1 1", "2 2 1"),
    ),
    Golden(
        "tuples",
        HOME.tuples(ROWS, ["i0"], "a", "w"),
        {ROWS: rows, SIDE0: side0},
        table("i0 a w", "ann 0 2", "bob 0 1", "bob 1 2"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(cut_groups)


def test_every_query_is_here() -> None:
    assert uncovered(cut_groups, CASES) == []
