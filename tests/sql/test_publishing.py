"""The queries of `bucketize`: three people, published in another order than the table's."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import publishing
from tests.sql.golden import Golden, table, uncovered

TABLE = Relation("table_file_1")
PEOPLE = Relation("people_2")
SIGNATURES = Relation("signatures_3")
PLACED = Relation("placed_4")
CELLS = Relation("cells_5")
CODES = Relation("codes_6")

patients = table("sex age problem row", "m 30 Flu 1", "f null HIV 2", "m 50 Flu 3")

CASES = [
    Golden(
        "as_people",
        publishing.as_people(TABLE, "row", ["age", "sex"]),
        {TABLE: patients},
        table("person q0:text q1", "1 30 m", "2 null f", "3 50 m"),
    ),
    Golden("as_values", publishing.as_values(TABLE, "problem"), {TABLE: patients}, table("x", "Flu", "HIV", "Flu")),
    Golden(
        "signatures",
        publishing.signatures(PEOPLE, SIGNATURES, ["q0"]),
        {
            PEOPLE: table("person q0:text q1", "3 50 m", "1 30 m", "2 null f"),
            SIGNATURES: table("q0:text s", "30 0", "50 1", "null 2"),
        },
        table("s", "0", "2", "1"),
    ),
    Golden(
        "people",
        publishing.people(PLACED, CELLS, ["sex", "age"]),
        {
            PLACED: table("row grp place", "3 1 0", "1 2 2", "2 1 1"),
            CELLS: table("x0 x1:text x2 row", "m 30 Flu 1", "f null HIV 2", "m 50 Flu 3"),
        },
        table("sex age:text group", "m 50 1", "f null 1", "m 30 2"),
    ),
    Golden(
        "values",
        publishing.values(PLACED, CODES, "problem"),
        {
            PLACED: table("grp code place", "2 0 2", "1 1 1", "1 0 0"),
            CODES: table("x code", "Flu 0", "HIV 1"),
        },
        table("group problem", "1 Flu", "1 HIV", "2 Flu"),
    ),
    Golden(
        "people-excel-safe",
        publishing.people(PLACED, CELLS, ["sex", "=age"], excel_safe=True),
        {
            PLACED: table("row grp place", "3 1 0", "1 2 2", "2 1 1"),
            CELLS: table("x0 x1:text x2 row", "=m -30 Flu 1", '"\'f" null HIV 2', "m -x Flu 3"),
        },
        table("sex '=age:text group", 'm "\'-x" 1', "\"''f\" null 1", '"\'=m" -30 2'),
    ),
    Golden(
        "values-excel-safe",
        publishing.values(PLACED, CODES, "problem", excel_safe=True),
        {PLACED: table("grp code place", "1 1 1", "1 0 0"), CODES: table("x code", "@Flu 0", "HIV 1")},
        table("group problem", '1 "\'@Flu"', "1 HIV"),
    ),
    Golden(
        "written_for_spreadsheets",
        publishing.written_for_spreadsheets(TABLE, ["sex", "age"]),
        {TABLE: table("sex age:text", '"\'=m" -30', "f null")},
        table("told", "true"),
    ),
    Golden(
        "written_for_spreadsheets-not",
        publishing.written_for_spreadsheets(TABLE, ["sex", "age"]),
        {TABLE: table("sex age:text", '"\'=m" -30', "f =1")},
        table("told", "false"),
    ),
    Golden(
        "as_before",
        publishing.as_before(TABLE, ["sex", "age"]),
        {TABLE: table("sex age:text", '"\'=m" -30', "\"''f\" null")},
        table("sex age:text", "=m -30", '"\'f" null'),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(publishing)


def test_every_query_is_here() -> None:
    assert uncovered(publishing, CASES) == []
