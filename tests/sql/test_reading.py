"""How the cells of a text file could have been read."""

from __future__ import annotations

import pytest

from deniable.engines.dialect import column_type
from deniable.engines.scope import Relation
from deniable.sql import reading
from tests.sql.golden import Golden, table, uncovered

SOURCE = Relation("source")
CELLS = table("a:text b:text", "1 2024-05-01", "1.0 2024-05-02", "007 x", "null null")

CASES = [
    Golden(
        "readable",
        reading.readable(SOURCE, ["a", "b"]),
        {SOURCE: CELLS},
        table("place cells number date timestamp boolean", "0 3 3 0 0 1", "1 3 0 2 2 0"),
    ),
    Golden(
        "with_commas",
        reading.with_commas(SOURCE, ["a", "b"]),
        {SOURCE: table("a:text b:text", "1,5 1,5", "2 x", "null null")},
        table("place commas", "0 true", "1 false"),
    ),
    Golden(
        "merged",
        reading.merged(SOURCE, {"a": column_type("DOUBLE"), "b": column_type("DATE")}),
        {SOURCE: CELLS},
        table("m0 m1", "1 1"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(reading)


def test_every_query_is_here() -> None:
    assert uncovered(reading, CASES) == []
