"""The table without those whom no view shows."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import withheld
from tests.sql.golden import Golden, table, uncovered

SOURCE, LISTED, REST = Relation("source"), Relation("listed"), Relation("rest")
PEOPLE = table("name:text born:text age:int", "ann 70 1", "ann 71 2", "bob null 3", "bob null 4")
TWO = table("i0:text i1:text", "ann 71", "bob null")

CASES = [
    Golden("identifiers", withheld.identifiers(SOURCE, ["name", "born"]), {SOURCE: PEOPLE},
           table("i0:text i1:text", "ann 70", "ann 71", "bob null")),
    Golden("strangers", withheld.strangers(LISTED, SOURCE, ["name", "born"]),
           {SOURCE: PEOPLE, LISTED: table("i0:text i1:text", "ann 71", "bob null", "ann null", "cy 1")},
           table("strangers", "2")),
    Golden("without", withheld.without(SOURCE, LISTED, ["name", "born"]), {SOURCE: PEOPLE, LISTED: TWO},
           table("name:text born:text age:int", "ann 70 1")),
    Golden("anybody", withheld.anybody(REST), {REST: table("a:int", "1", "2")}, table("anybody", "true")),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(withheld)


def test_every_query_is_here() -> None:
    assert uncovered(withheld, CASES) == []
