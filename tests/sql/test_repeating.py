"""Identifiers repeat: ann and bob in group 0, bob twice with two values; cy in group 1, twice the same."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import repeating
from deniable.sql.adversaries import fields_of
from deniable.sql.two_views import ColumnNames
from tests.sql.golden import Golden, table, uncovered

ROWS, VALUES, GROUPS, PERSONS, OWNS, TUPLES, SINGLE, PAIRS, SIDES, CELLS, OWN_CELLS, KEYS, FOUND, ANSWERS = (
    Relation(name)
    for name in (
        "rows_1", "values_2", "groups_3", "persons_4", "owns_5", "value_tuples_6", "single_pairs_7", "own_pairs_8",
        "sides_9", "cells_10", "own_cells_11", "keys_12", "own_answers_13", "answers_14",
    )
)  # fmt: skip
NAMES = ColumnNames.counted(ids=1, joins=1)
rows = table(
    "i0 j0 p0 s", "ann 1 Flu true", "bob 1 Flu true", "bob 1 HIV true", "cy 2 HIV true", "cy 2 HIV true"
)  # fmt: skip
values = table("p0 v:int", "Flu 0", "HIV 1")
groups = table("j0 g:int n:long rows:long", "1 0 2 3", "2 1 1 2")
persons = table("i0 g:int own:long joined:long", "ann 0 1 1", "bob 0 2 2", "cy 1 2 1")
owns = table("g:int own:long joined:long people:long as_often:long", "0 1 1 1 2", "0 2 2 1 1", "1 2 1 1 1")
tuples = table("g:int v:int r:long", "0 0 2", "0 1 1", "1 1 2")
single = table("i0 g:int v:int", "ann 0 0", "bob 0 0", "bob 0 1", "cy 1 1")
pairs = table("i0 v:int g:int own:long joined:long", "ann 0 0 1 1", "bob 0 0 2 2", "bob 1 0 2 2", "cy 1 1 2 1")
sides = table("g:int m:long", "0 2", "1 1")
cells = table("g:int v:int c:long r:long", "0 0 1 2", "0 1 1 1", "1 1 1 2")
OWN = "g:int own:long joined:long as_often:long everybody:long v:int c:long r:long s:long m:long n:long rows:long"
own_cells = table(
    f"{OWN} ids vals mine",
    "0 1 1 2 1 0 1 2 1 2 2 3 '1:1 2:1' '1:1 2:1' 2:1",
    "0 1 1 2 1 1 1 1 0 2 2 3 '1:1 2:1' '1:1 2:1' 1:1",
    "0 2 2 1 1 0 1 2 1 2 2 3 '1:1 2:1' '1:1 2:1' 2:1",
    "0 2 2 1 1 1 1 1 1 2 2 3 '1:1 2:1' '1:1 2:1' 1:1",
    "1 2 1 1 1 1 1 2 1 1 1 2 2:1 2:1 2:1",
)
KEY = "m:long n:long rows:long c:long r:long own:long joined:long as_often:long ids vals mine"
keys = table(
    f"{KEY} key:long",
    "2 2 3 1 2 1 1 2 '1:1 2:1' '1:1 2:1' 2:1 0",
    "2 2 3 1 1 1 1 2 '1:1 2:1' '1:1 2:1' 1:1 1",
    "2 2 3 1 2 2 2 1 '1:1 2:1' '1:1 2:1' 2:1 2",
    "2 2 3 1 1 2 2 1 '1:1 2:1' '1:1 2:1' 1:1 3",
    "1 1 2 1 2 2 1 1 2:1 2:1 2:1 4",
)
BAG, KEYED = " ".join(fields_of("bag")), " ".join(fields_of("keyed"))
found = table(f"key:long {BAG}", *(f"{i} 0.{i} 0.{i} 0.{i} exact" for i in range(5)))
answers = table(
    f"g:int v:int {KEYED}", "0 0 0.5 0.5 0.5 exact", "0 1 0.5 0.5 0.5 exact", "1 1 1.0 1.0 1.0 exact"
)  # fmt: skip
half = "0.5 0.5 0.5 exact"
every = table(
    f"g:int own:long joined:long v:int s:long everybody:long {KEYED} {BAG}",
    f"0 1 1 0 1 1 {half} 0.0 0.0 0.0 exact",
    f"0 1 1 1 0 1 {half} 0.1 0.1 0.1 exact",
    f"0 2 2 0 1 1 {half} 0.2 0.2 0.2 exact",
    f"0 2 2 1 1 1 {half} 0.3 0.3 0.3 exact",
    "1 2 1 1 1 1 1.0 1.0 1.0 exact 0.4 0.4 0.4 exact",
)

CASES = [
    Golden("persons", repeating.persons(ROWS, GROUPS, NAMES), {ROWS: rows, GROUPS: groups}, persons),
    Golden("owns", repeating.owns(PERSONS), {PERSONS: persons}, owns),
    Golden("sides", repeating.sides(OWNS), {OWNS: owns}, sides),
    Golden(
        "value_tuples",
        repeating.value_tuples(ROWS, VALUES, GROUPS, NAMES),
        {ROWS: rows, VALUES: values, GROUPS: groups},
        tuples,
    ),
    Golden("pairs", repeating.pairs(SINGLE, PERSONS, ["i0"]), {SINGLE: single, PERSONS: persons}, pairs),
    Golden(
        "own_cells",
        repeating.own_cells(OWNS, TUPLES, PAIRS, GROUPS, SIDES, CELLS, 3),
        {OWNS: owns, TUPLES: tuples, PAIRS: pairs, GROUPS: groups, SIDES: sides, CELLS: cells},
        own_cells,
    ),
    Golden("keys", repeating.keys(OWN_CELLS), {OWN_CELLS: own_cells}, keys, numbers=["key"]),
    Golden(
        "answers",
        repeating.answers(OWN_CELLS, KEYS, FOUND, ANSWERS, ["keyed"], ["bag"]),
        {OWN_CELLS: own_cells, KEYS: keys, FOUND: found, ANSWERS: answers},
        every,
    ),
    Golden(
        "wide",
        repeating.wide(PAIRS, ANSWERS, ["i0"], fields_of("bag"), values=True),
        {PAIRS: pairs.slice(2), ANSWERS: every},
        table(f"i0 v:int {BAG}", "bob 1 0.3 0.3 0.3 exact", "cy 1 0.4 0.4 0.4 exact"),
    ),
    Golden(
        "wide-everything",
        repeating.wide(PERSONS, ANSWERS, ["i0"], fields_of("bag"), values=False),
        {PERSONS: persons.slice(1, 1), ANSWERS: every},
        table(f"i0 v:int {BAG}", "bob 0 0.2 0.2 0.2 exact", "bob 1 0.3 0.3 0.3 exact"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(repeating)


def test_every_query_is_here() -> None:
    assert uncovered(repeating, CASES) == []
