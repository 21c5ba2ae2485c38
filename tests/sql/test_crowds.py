"""People with equal keys, and the crowds that they stand in."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import crowds
from deniable.sql.build import select
from deniable.sql.crowds import Placed
from deniable.sql.keys import Keys
from tests.sql.golden import Golden, table, uncovered
from tests.sql.pay import ALL, DOMAIN, FAR, KNOWN, PUBLIC_KEYS, VALUES

KEYED, CLASSES, TYPES, CROWDS = (Relation(name) for name in ("keyed", "classes", "types", "crowds"))
COLLECTIONS = Relation("collections")
PLACED = Placed(KEYED, CLASSES, CROWDS)

# Five people: i0 who they are, b0 their zip, p their pay, k0 age, k1 whether `far` selects them, k2 the zip it shows.
PEOPLE = table(
    "i0 b0 p:int k0 k1 k2:int",
    "ann 1 3 30 false null",
    "bob 1 9 30 false null",
    "cid 2 3 30 true 2",
    "dan 2 3 40 true 2",
    "fay 2 3 40 true 2",
)
GROUPED = table("k0 k1 k2:int size low found", "30 false null 2 3 2", "30 true 2 1 3 1", "40 true 2 2 3 1")
NUMBERED = table("k0 k1 k2:int size low found a", "30 false null 2 3 2 1", "30 true 2 1 3 1 0", "40 true 2 2 3 1 2")
COUNTED = table("a v n", "1 0 1", "1 1 1", "0 0 1", "2 0 2")
KEYS = PUBLIC_KEYS.names

CASES = [
    Golden(
        "classes",
        crowds.classes(select("k0", "p").from_(KEYED.as_("keyed")), ["k0"]),
        {KEYED: table("k0 p", "1 3", "1 9", "2 3", "2 3", "3 3", "3 null", "null null")},
        table("k0 size low found", "1 2 3 null", "2 2 3 1", "3 2 3 null", "null 1 null 1"),
    ),
    Golden(
        "classes_and_values",
        crowds.classes_and_values(select("k0", "p").from_(KEYED.as_("keyed")), ["k0"]),
        {KEYED: table("k0 p", "1 3", "1 9", "2 3", "2 3", "3 3", "3 null", "null null")},
        table("k0 size low found", "1 2 3 2", "2 2 3 1", "3 2 3 2", "null 1 null 1"),
    ),
    Golden(
        "summary",
        crowds.summary(CLASSES),
        {CLASSES: GROUPED},
        table("k classes people least constant alike", "1 3 5 1 3 2"),
    ),
    Golden("in_order", crowds.in_order(CLASSES, KEYS), {CLASSES: GROUPED}, NUMBERED),
    Golden("sizes", crowds.sizes(CLASSES), {CLASSES: NUMBERED}, table("size", "1", "2", "2")),
    Golden("found", crowds.found(CLASSES), {CLASSES: NUMBERED}, table("found", "1", "2", "1")),
    Golden(
        "told",  # of a view that shows functions of the private column
        crowds.told(DOMAIN, ["f0", "f1"]),
        {DOMAIN: table("p v f0 f1", "12 2 b x", "3 0 a x", "9 1 a x", "null 3 null null", "99 4 b y")},
        table("v code", "0 0", "1 0", "2 1", "3 3", "4 2"),
    ),
    Golden(
        "set_numbers",
        crowds.set_numbers(CLASSES, Keys((KNOWN,), "pay", ()), KNOWN),
        {CLASSES: table("k0 k1 a", "1 30 0", "0 40 1")},
        table("t", "1", "0"),
    ),
    Golden(
        "cells",  # of a view that shows a column of those whom it selects, and one that everybody's key has
        crowds.cells(CLASSES, PUBLIC_KEYS, FAR),
        {CLASSES: NUMBERED},
        table("a cell", "0 2", "1 0", "2 3"),
    ),
    Golden(
        "cells-all",  # of a view of everybody
        crowds.cells(CLASSES, PUBLIC_KEYS, ALL),
        {CLASSES: NUMBERED},
        table("a cell", "0 1", "1 1", "2 2"),
    ),
    Golden(
        "cells-private",  # of a view that selects by the private column: never, if its set of values is empty
        crowds.cells(CLASSES, Keys((KNOWN,), "pay", ()), KNOWN),
        {CLASSES: table("k0 k1 a", "1 30 0", "0 40 1")},
        table("a cell", "0 2", "1 0"),
    ),
    Golden(
        "types",
        crowds.types(KEYED, CLASSES, DOMAIN, KEYS),
        {KEYED: PEOPLE, CLASSES: NUMBERED, DOMAIN: VALUES},
        COUNTED,
    ),
    Golden("counts", crowds.counts(TYPES, ordered=False), {TYPES: COUNTED}, COUNTED),
    Golden(
        "counts-ordered",
        crowds.counts(TYPES, ordered=True),
        {TYPES: COUNTED},
        table("a v n", "0 0 1", "1 0 1", "1 1 1", "2 0 2"),
    ),
    Golden("value_counts", crowds.value_counts(TYPES), {TYPES: COUNTED}, table("a found", "0 1", "1 2", "2 1")),
    Golden("how_many", crowds.how_many(TYPES), {TYPES: COUNTED}, table("n", "4")),
    Golden(
        "answer",
        crowds.answer(PLACED, ["zip"], KEYS, ordered=True),
        {
            KEYED: PEOPLE,
            CLASSES: NUMBERED,
            CROWDS: table("a crowd size possible exposed", "0 1 3 2 false", "1 2 2 null null", "2 1 3 2 false"),
        },
        table(
            "zip crowd size values exposed",
            "2 1 3 2 false",
            "2 1 3 2 false",
            "2 1 3 2 false",
            "1 2 2 null null",
            "1 2 2 null null",
        ),
    ),
    Golden(
        "answer_by_type",  # two people of one class and value, one in each of two crowds
        crowds.answer_by_type(PLACED, DOMAIN, COLLECTIONS, ["zip"], KEYS, ordered=False),
        {
            KEYED: PEOPLE,
            CLASSES: NUMBERED,
            DOMAIN: VALUES,
            CROWDS: table(
                "a v after upto crowd size possible exposed",
                "0 0 0 1 1 3 2 false",
                "1 0 0 1 1 3 2 false",
                "1 1 0 1 2 2 1 null",
                "2 0 0 1 1 3 2 false",
                "2 0 1 2 2 2 1 null",
            ),
            COLLECTIONS: table("crowd collection:text", "1 3", "2 3|9"),
        },
        table(
            "zip crowd size values exposed collection:text",
            "1 1 3 2 false 3",
            "2 1 3 2 false 3",
            "2 1 3 2 false 3",
            "1 2 2 1 null 3|9",
            "2 2 2 1 null 3|9",
        ),
    ),
    Golden(
        "collections",
        crowds.collections(CROWDS, DOMAIN),
        {CROWDS: table("crowd v", "1 1", "1 0", "1 0", "2 1", "2 2"), DOMAIN: VALUES},
        table("crowd collection", "1 3|9", "2 9|"),
    ),
    Golden(
        "standing",
        crowds.standing(PLACED, PUBLIC_KEYS, ["dan"], 3),
        {KEYED: PEOPLE, CLASSES: NUMBERED, CROWDS: table("a size possible exposed", "0 1 1 true", "2 2 1 true")},
        table(
            "a k0 k1 k2 size possible exposed s0 x0_0:text s1 x1_0:text x1_1:text",
            "2 40 true 2 2 1 true true 40 true 2 40",
        ),
    ),
    Golden(
        "others",
        crowds.others(PLACED, KEYS, ["dan"], 2, 5),
        {KEYED: PEOPLE, CLASSES: NUMBERED},
        table("i0", "fay"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(crowds)


def test_every_query_is_here() -> None:
    assert uncovered(crowds, CASES) == []
