"""A view that holds the association: everybody's open tuples and values, and who could have one tuple."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import adversaries, revealed
from deniable.sql.adversaries import Kept, fields_of
from deniable.sql.revealed import RevealedCounts
from tests.sql.golden import Golden, table, uncovered

ROWS, VALUES, PERSONS, SIDES = (Relation(name) for name in ("rows_1", "values_2", "persons_3", "sides_4"))
ADVERSARIES = ("unrestricted", "restricted", "keyed", "bag")
TESTS = {name: getattr(adversaries, name)(Kept(ids=True, values=True)).revealed for name in ADVERSARIES}

# o0 is the identifier and o1 the value in the open view; the other view has q0, which is what joins them.
rows = table(
    "i0 j0 o0 o1 q0 p0 s",
    "ann 1 ann Flu 1 Flu true",
    "bob 1 bob HIV 1 HIV true",
    "cy 2 cy Flu 2 Flu true",
    "cy 2 cy Cold 2 Cold false",
)
values = table("p0 v", "Flu 0", "HIV 1", "Cold 2")
persons = table("i0 tuples vals", "ann 1 1", "bob 1 1", "cy 2 2")
sides = table("j0 once", "1 true", "2 false")
YES, NO = "1.0 1.0 1.0 exact", "null null null exact"

CASES = [
    Golden("persons", revealed.persons(ROWS, ["i0"], ["o0", "o1"]), {ROWS: rows}, persons),
    Golden(
        "sides",
        revealed.sides(ROWS, PERSONS, ["i0"], ["j0"], ["o0", "o1"], ["q0"]),
        {ROWS: rows, PERSONS: persons},
        sides,
    ),
    Golden(
        "answers",
        revealed.answers(RevealedCounts(ROWS, VALUES, PERSONS, SIDES), ["i0"], ["j0"], TESTS),
        {ROWS: rows, VALUES: values, PERSONS: persons, SIDES: sides},
        table(
            "i0 v s " + " ".join(fields_of(*ADVERSARIES)),
            f"ann 0 1 {YES} {YES} {YES} {YES}",
            f"bob 1 1 {YES} {YES} {YES} {YES}",
            f"cy 0 1 {YES} {NO} {NO} {YES}",
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(revealed)


def test_every_query_is_here() -> None:
    assert uncovered(revealed, CASES) == []
