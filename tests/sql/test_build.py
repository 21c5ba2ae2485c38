"""The rows that every analysis of views starts from."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from deniable.engines.dialect import OURS
from deniable.engines.scope import Relation
from deniable.sql import build
from tests.sql.golden import Golden, table, uncovered

SOURCE = Relation("source_1")
PATIENTS = table("name:text age job problem", "7 30 nurse Flu", "8 45 cook HIV", "9 45 null Cold", "10 60 cook null")
ROLES = {"i": ["name"], "j": ["age"], "x": ["job"], "p": ["problem"]}

CASES = [
    Golden(
        "narrowed",
        build.narrowed(
            SOURCE,
            ROLES,
            parse_one("name <> 7", dialect=OURS),
            parse_one("problem = 'HIV' OR age > 50", dialect=OURS),
            ["name"],
        ),
        {SOURCE: PATIENTS},
        table("i0:text j0 x0 p0 s", "8 45 cook HIV true", "9 45 null Cold false", "10 60 cook null true"),
    ),
    Golden(
        "narrowed-bare",  # no condition, everything secret, and no column in common: the constant 0
        build.narrowed(SOURCE, {"i": ["name"], "j": [], "p": ["problem"]}, None, None, []),
        {SOURCE: PATIENTS},
        table("i0:text j0 p0 s", "7 0 Flu true", "8 0 HIV true", "9 0 Cold true", "10 0 null true"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(build)


def test_every_query_is_here() -> None:
    assert uncovered(build, CASES, "select") == []
