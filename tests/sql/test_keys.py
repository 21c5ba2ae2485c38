"""Everybody's key: one view of each kind, alone and together."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import keys
from deniable.sql.keys import Keys
from tests.sql.golden import Golden, table, uncovered
from tests.sql.pay import ALL, ALL_KEYS, FAR, KNOWN, PEOPLE, PUBLIC_KEYS, SOURCE

RICH_SETS, LUCKY_SETS, KNOWN_SETS = Relation("rich_sets"), Relation("lucky_sets"), Relation("known_sets")

CASES = [
    Golden(
        "base",
        keys.base(SOURCE, ALL_KEYS),
        {SOURCE: PEOPLE},
        table(
            "c0 c1 c2 p a2_0 e2_0",
            "30 1 5 3 2 5",
            "30 1 5 9 2 5",
            "30 2 9 3 2 9",
            "40 2 null 3 2 null",
            "40 9 9 null 0 9",
        ),
    ),
    Golden(
        "base-text",  # with identifiers and public columns, an identifier in a view, which is text
        keys.base(SOURCE, Keys((ALL, FAR), "pay", ("zip",)), ["age", "zip"], ["charge"]),
        {SOURCE: PEOPLE},
        table(
            "i0:text i1:text b0 c0 c1:text p",
            "30 1 5 30 1 3",
            "30 1 5 30 1 9",
            "30 2 9 30 2 3",
            "40 2 null 40 2 3",
            "40 9 9 40 9 null",
        ),
    ),
    Golden(
        "keyed",
        keys.keyed(SOURCE, ALL_KEYS, {2: RICH_SETS, 3: LUCKY_SETS}, ["name"], ["zip"]),
        {
            SOURCE: PEOPLE,
            RICH_SETS: table("a2_0:int e2_0 t", "2 5 1", "2 9 1", "2 null 0", "0 9 0"),
            LUCKY_SETS: table("c2:int t", "5 1", "9 2", "null 0"),
        },
        table(
            "i0 b0 p k0 k1 k2 k3 k4 k5",
            "ann 1 3 30 false null 1 1 1",
            "bob 1 9 30 false null 1 1 1",
            "cid 2 3 30 true 2 1 2 2",
            "dan 2 3 40 true 2 0 null 0",
            "eve 9 null 40 true 9 0 null 2",
        ),
    ),
    Golden(
        "keyed-public",  # by views that look at public columns only
        keys.keyed(SOURCE, PUBLIC_KEYS, {}),
        {SOURCE: PEOPLE},
        table("p k0 k1 k2", "3 30 false null", "9 30 false null", "3 30 true 2", "3 40 true 2", "null 40 true 9"),
    ),
    Golden(
        "keyed-private",  # by a view that selects the same values for everybody
        keys.keyed(SOURCE, Keys((KNOWN,), "pay", ()), {0: KNOWN_SETS}),
        {SOURCE: PEOPLE, KNOWN_SETS: table("t", "1")},
        table("p k0 k1", "3 1 30", "9 1 30", "3 1 30", "3 1 40", "null 1 40"),
    ),
    Golden(
        "keyed-nothing",  # where no view says anything: everybody has the same key
        keys.keyed(SOURCE, Keys((), "pay", ()), {}),
        {SOURCE: PEOPLE},
        table("p k0", "3 0", "9 0", "3 0", "3 0", "null 0"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(keys)


def test_every_query_is_here() -> None:
    assert uncovered(keys, CASES) == []


def test_a_column_may_have_any_name() -> None:
    """No name of the user's is taken for one of ours."""
    shown = keys.TellingView(0, "v", ("sets of 1", "COALESCE((base.c0), FALSE)"), ("pay",), False, None, (), False)
    assert Keys((shown,), "pay", ()).names == ["k0", "k1"]
