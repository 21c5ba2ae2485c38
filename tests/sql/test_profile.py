"""What the columns of a table look like, and the first statements that are made of them."""

from __future__ import annotations

import pytest

from deniable.engines.dialect import TEXT, column_type
from deniable.engines.scope import Relation
from deniable.sql import profile
from tests.sql.golden import Golden, table, uncovered

SOURCE, NAMED = Relation("source"), Relation("named")
INTEGER = column_type("BIGINT")
CELLS = table(
    "zip:text mail:text pulse:text seen:text age:long",
    "02139 a@x 60,5 2024-1-31 30",
    "10001 b@x 70 2024-1-30 30",
    "10001 null 70 2024-1-30 null",
    "zip c@x -1,0 2024-02-01 7",
)
FACTS = "place rows nulls different commonest longest zeros mail commas dates named"

OF_ALL = table(
    FACTS,
    "0 4 0 3 2 5 true false false 0 1",
    "1 4 1 3 1 3 false true false 0 0",
    "2 4 0 3 2 4 false false true 0 0",
    "3 4 0 3 2 10 false false false 3 0",
    "4 4 1 2 2 2 false false false 0 0",
)

CASES = [
    Golden(
        "facts",
        profile.facts(SOURCE, {"zip": TEXT, "mail": TEXT, "pulse": TEXT, "seen": TEXT, "age": INTEGER}),
        {SOURCE: CELLS},
        OF_ALL,
    ),
    Golden(
        "cells",
        profile.cells(SOURCE, ["zip", "age"]),
        {SOURCE: CELLS},
        table("zip:text age:long", "02139 30", "10001 30", "10001 null", "zip 7"),
    ),
    Golden(
        "facts_of_many",
        profile.facts_of_many(SOURCE, ["zip", "mail", "pulse", "seen", "age"], NAMED),
        {
            SOURCE: CELLS,
            NAMED: table(
                "place name:text is_text", "0 zip true", "1 mail true", "2 pulse true", "3 seen true", "4 age false"
            ),
        },
        OF_ALL,
    ),
    Golden("rows", profile.rows(SOURCE), {SOURCE: CELLS}, table("rows", "4")),
    Golden(
        "facts-one",
        profile.facts(SOURCE, {'it\'s "x"': TEXT}),
        {SOURCE: table("x:text", "null").rename_columns(['it\'s "x"'])},
        table(FACTS, "0 1 1 0 1 0 false false false 0 0"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(profile)


def test_every_query_is_here() -> None:
    assert uncovered(profile, CASES) == []
