"""A chain of views, (id, z0), (z0, z1), (z1, p): shares along it."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import counted_rows
from tests.sql.golden import Golden, table, uncovered

ROWS, VALUES, HOME, CHANCES, MEMBERS = (
    Relation(name) for name in ("rows_1", "values_2", "side_3", "chances_4", "members_5")
)
rows = table("z0 z1 z2", "a x HIV", "a x Flu", "a y Flu", "b y Flu")
values = table("p0 v:int", "HIV 0", "Flu 1")
home = table("z0 u0:int mu0:long", "a 0 3", "b 1 1")
chances = table("a:int v:int chance terms:long", "0 0 0.25 2", "0 1 0.75 2", "1 1 1.0 1")

CASES = [
    Golden("repeats", counted_rows.repeats(ROWS, HOME, 0), {ROWS: rows, HOME: home}, table("found", "false")),
    Golden(
        "chances",
        counted_rows.chances(ROWS, VALUES, HOME, 0, [["z0"], ["z1"]], "z2"),
        {ROWS: table("z0 z1 z2", "a x HIV", "a x Flu", "b y Flu", "b y Flu"), VALUES: values, HOME: home},
        table("a:int v:int chance terms:long", "0 0 0.5 1", "0 1 0.5 1", "1 1 1.0 1"),
    ),
    Golden(
        "chances-apart",
        counted_rows.chances(ROWS, VALUES, HOME, 0, [[]], "z2"),
        {ROWS: rows, VALUES: values, HOME: home.slice(1)},
        table("a:int v:int chance terms:long", "1 0 0.25 1", "1 1 0.75 1"),
    ),
    Golden(
        "of_kinds",
        counted_rows.of_kinds(CHANCES, MEMBERS),
        {CHANCES: chances, MEMBERS: table("kind:int a:int times:long", "0 0 1", "1 0 1", "1 1 1")},
        table(
            "kind:int v:int least most many:long",
            "0 0 0.25 0.25 1",
            "0 1 0.75 0.75 1",
            "1 0 0.25 0.25 1",
            "1 1 1.0 1.0 2",
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(counted_rows)


def test_every_query_is_here() -> None:
    assert uncovered(counted_rows, CASES) == []
