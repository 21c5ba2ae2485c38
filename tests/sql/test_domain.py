"""The values that the private column can take."""

from __future__ import annotations

import pytest

from deniable.engines.dialect import TEXT, column_type
from deniable.engines.scope import Relation
from deniable.sql import domain
from tests.sql.golden import Golden, table, uncovered

SOURCE, KNOWN = Relation("source"), Relation("known_1")
NUMBER = column_type("INTEGER")
PAY = table("pay:int", "9", "3", "null", "9")
WARD = table("ward:text", "b", "a", "b")

CASES = [
    Golden("domain", domain.domain(SOURCE, [], "pay", NUMBER), {SOURCE: PAY}, table("p v", "3 0", "9 1", "null 2")),
    Golden(
        "domain-given",
        domain.domain(SOURCE, [12, 9, None, 3, 9], "pay", NUMBER),
        {SOURCE: PAY},
        table("p v", "3 0", "9 1", "12 2", "null 3"),
    ),
    Golden(
        "domain-one",
        domain.domain(SOURCE, ["it's"], "ward", TEXT),
        {SOURCE: WARD},
        table("p v", '"it\'s" 0'),
    ),
    Golden(
        "with_functions",
        domain.with_functions(domain.domain(SOURCE, [], "pay", NUMBER), KNOWN, "pay", ["tens", "pay"]),
        {SOURCE: PAY, KNOWN: table("pay:int tens", "3 0-9", "9 0-9", "12 10-19", "null null")},
        table("p v f0 f1", "3 0 0-9 3", "9 1 0-9 9", "null 2 null null"),
    ),
    Golden(
        "unfit",  # which of them are no numbers; a null is none either, which the caller knows
        domain.unfit([3, "x", None], NUMBER),
        {},
        table("d0 d1 d2", "false true true"),
    ),
    Golden(
        "outside",
        domain.outside(SOURCE, [3, None], "pay", NUMBER),
        {SOURCE: PAY},
        table("cells rows", "1 2"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(domain)


def test_every_query_is_here() -> None:
    assert uncovered(domain, CASES) == []
