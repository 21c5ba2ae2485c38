"""Statements as somebody would write them."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import writing
from tests.sql.golden import Golden, table, uncovered

SOURCE = Relation("source")

CASES = [
    Golden(
        "projection",
        writing.projection(["who", "select", 'a "b"', "Total"], "source", distinct=True),
        {
            SOURCE: table("who select a Total", "ann 1 2 3", "ann 1 2 3").rename_columns(
                ["who", "select", 'a "b"', "Total"]
            )
        },
        table("who select a Total", "ann 1 2 3").rename_columns(["who", "select", 'a "b"', "Total"]),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(writing)


def test_every_query_is_here() -> None:
    assert uncovered(writing, CASES) == []


@pytest.mark.parametrize(
    ("name", "written"),
    [("age", "age"), ("order", '"order"'), ("a b", '"a b"'), ('a"b', '"a""b"'), ("1st", '"1st"'), ("größe", '"größe"'),
     ("_x1", "_x1"), ("a.b", '"a.b"'), ("--", '"--"'), ("true", '"true"')],
)  # fmt: skip
def test_names_stand_in_quotes_where_they_must(name: str, written: str) -> None:
    assert writing.statement([name], "t") == f"SELECT {written} FROM t"
    assert writing.is_plain(name) == (name == written)
