"""Columns as codes: numbers by size, text by letters, nulls last."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import coding
from tests.sql.golden import Golden, table, uncovered

FILE = Relation("file_1")
CELLS, MORE = Relation("cells_2"), Relation("cells_3")
AGES, TOWNS = Relation("codes_4"), Relation("codes_5")

patients = table("name age town row", "ann 30 b 1", "bob 4 null 2")
ages = table("x:text size:float is_number code", "4 4 true 0", "30 30 true 1", "null null true 2")
towns = table("x:text size:float is_number code", "10 10 false 0", "b null false 1", "null null false 2")

CASES = [
    Golden(
        "cells",
        coding.cells(FILE, {0: "age", 2: "town"}, "row"),
        {FILE: patients},
        table("x0:text x2 row", "30 b 1", "4 null 2"),
    ),
    Golden(
        "cells-unnumbered",
        coding.cells(FILE, {1: "name"}),
        {FILE: patients},
        table("x1", "ann", "bob"),
    ),
    Golden(
        "values",  # 4 is before 30
        coding.values(0, [CELLS]),
        {CELLS: table("x0:text", "30", "4", "null", "30")},
        ages,
    ),
    Golden(
        "values-of_two",  # one cell that is no number makes all of them text
        coding.values(1, [CELLS, MORE]),
        {CELLS: table("x1:text", "10", "null"), MORE: table("x1:text", "b", "10")},
        towns,
    ),
    Golden(
        "codes",
        coding.codes(CELLS, {0: AGES, 1: TOWNS}, ordered=True),
        {CELLS: table("x0:text x1:text row", "null b 2", "30 10 3", "4 null 1"), AGES: ages, TOWNS: towns},
        table("c0 c1", "0 2", "2 1", "1 0"),
    ),
    Golden(
        "codes-in_any_order",
        coding.codes(CELLS, {1: TOWNS}, ordered=False),
        {CELLS: table("x1:text", "b", "null"), TOWNS: towns},
        table("c1", "1", "2"),
    ),
    Golden(
        "named",
        coding.named(AGES),
        {AGES: ages.take([2, 0, 1])},
        table("x:text is_number", "4 true", "30 true", "null true"),
    ),
    Golden(
        "counted",
        coding.counted(FILE, ["group", "problem"]),
        {FILE: table("group problem", "1 Flu", "1 Flu", "1 HIV", "2 null")},
        table("t0:text t1 n", "1 Flu 2", "1 HIV 1", "2 null 1"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(coding)


def test_every_query_is_here() -> None:
    assert uncovered(coding, CASES) == []
