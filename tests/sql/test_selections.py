"""Which private values a condition selects: by an order of the values, and by trying."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import selections
from deniable.sql.conditions import Separated
from tests.sql.golden import Golden, table, uncovered
from tests.sql.pay import ALL_KEYS, DOMAIN, KNOWN, LUCKY, RICH, VALUES

BASE, COMBINATIONS, RANKS, FOUND = (Relation(name) for name in ("base", "combinations", "ranks", "found"))
RICH_COMBINATIONS = table("a2_0 e2_0 h", "2 5 0", "2 9 1", "2 null 2", "0 9 3")
LUCKY_COMBINATIONS = table("c2 h", "5 0", "9 1", "null 2")


def parts(separated: Separated | None) -> Separated:
    assert separated is not None
    return separated


CASES = [
    Golden(
        "values",
        selections.values(DOMAIN, parts(RICH.separated), "pay"),
        {DOMAIN: VALUES},
        table("v position", "0 0", "1 1", "2 -1"),
    ),
    Golden(
        "values-private",  # with a part that is about the private column alone: whether it is null
        selections.values(DOMAIN, parts(KNOWN.separated), "pay"),
        {DOMAIN: VALUES},
        table("v position z0", "0 0 0", "1 1 0", "2 -1 2"),
    ),
    Golden(
        "combinations",
        selections.combinations(BASE, ["c0", "c1"]),
        {BASE: table("c0 c1 p", "1 x 3", "1 x 9", "2 null 3", "2 null 3")},
        table("c0 c1 h", "1 x 0", "2 null 1"),
        numbers=["h"],
    ),
    Golden(
        "combinations-none",  # of no columns there is one
        selections.combinations(BASE, []),
        {BASE: table("c0 p", "1 3", "2 9")},
        table("h", "0"),
    ),
    Golden(
        "ranks",
        selections.ranks(DOMAIN, COMBINATIONS, parts(RICH.separated), "pay", "e2_0"),
        {DOMAIN: VALUES, COMBINATIONS: RICH_COMBINATIONS},
        table("x d upto", "3 1 1", "5 0 1", "9 1 2"),
    ),
    Golden(
        "ranked",
        selections.ranked(COMBINATIONS, RICH, [RANKS]),
        {COMBINATIONS: RICH_COMBINATIONS, RANKS: table("x d upto", "3 1 1", "5 0 1", "9 1 2")},
        table("h a2_0 below0 upto0", "0 2 1 1", "1 2 1 2", "2 2 -1 -1", "3 0 1 2"),
    ),
    Golden(
        "satisfying",
        selections.satisfying(COMBINATIONS, DOMAIN, ALL_KEYS, LUCKY),
        {COMBINATIONS: LUCKY_COMBINATIONS, DOMAIN: VALUES},
        table("h v", "0 1", "1 0", "1 1"),
    ),
    Golden(
        "with_sets",
        selections.with_sets(COMBINATIONS, FOUND, ["c2"]),
        {COMBINATIONS: LUCKY_COMBINATIONS, FOUND: table("h t", "0 1", "1 2", "2 0")},
        table("c2 t", "5 1", "9 2", "null 0"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(selections)


def test_every_query_is_here() -> None:
    assert uncovered(selections, CASES) == []
