"""One person, 7, who stands in two join groups; 8 stands in one of them, and 9 in neither."""

from __future__ import annotations

import pyarrow as pa
import pytest

from deniable.engines.scope import Relation
from deniable.sql import one_person
from tests.sql.golden import Golden, table, uncovered

ROWS, OWN, PEOPLE, MEMBERS, VALUES, GROUPS, INSIDE, IDS, SIDE = (
    Relation(name)
    for name in (
        "rows_1", "own_rows_2", "people_3", "members_4", "values_5", "own_groups_6", "in_groups_7", "id_side_8",
        "value_side_9",
    )
)  # fmt: skip
rows = table("i0 j0 y0 x0 p0", "7 1 u red Flu", "7 2 u red null", "8 1 w red HIV", "8 1 w blue HIV", "9 3 w red Flu")
own = rows.slice(0, 2)
values = table("p0 v", "Flu 0", "HIV 1", "null 2")
inside = table("i0 j0 y0 x0 p0 d", "7 1 u red Flu 0", "7 2 u red null 1", "8 1 w red HIV 0", "8 1 w blue HIV 0")
ids = table("d i0:text y0 w own", "0 7 u 1 true", "0 8 w 2 false", "1 7 u 1 true")
side = table("d x0 p0 r", "0 red Flu 1", "0 blue HIV 1", "0 red HIV 1", "1 red null 1")

CASES = [
    Golden("own_rows", one_person.own_rows(ROWS, ["i0"], ["7"]), {ROWS: rows}, own),
    Golden("own_rows-several", one_person.own_rows(ROWS, ["i0"], ["7"], ["9"]), {ROWS: rows}, rows.take([0, 1, 4])),
    Golden(
        "homes",
        one_person.homes(OWN, ["i0"], ["j0"]),
        {OWN: pa.concat_tables([own, own])},
        table("i0:text j0:text", "7 1", "7 2"),
    ),
    Golden(
        "with_value",
        one_person.with_value(ROWS, "x0"),
        {ROWS: rows.select(["i0", "x0"]).slice(2)},
        table("i0 x0 p0", "8 red red", "8 blue blue", "9 red red"),
    ),
    Golden(
        "own_kind",
        one_person.own_kind(OWN, PEOPLE, ["i0"]),
        {OWN: own, PEOPLE: table("i0 kind", "7 4", "8 5")},
        table("kind", "4"),
    ),
    Golden(
        "members_like",
        one_person.members_like(OWN, PEOPLE, MEMBERS, ["i0"]),
        {
            OWN: own,
            PEOPLE: table("i0 kind", "7 4", "8 5"),
            MEMBERS: table("kind a times", "4 0 1", "4 1 2", "5 0 1"),
        },
        table("kind a times", "0 0 1", "0 1 2"),
    ),
    Golden(
        "value_names", one_person.value_names(VALUES), {VALUES: values}, table("v value", "0 Flu", "1 HIV", "2 null")
    ),
    Golden("own_groups", one_person.own_groups(OWN, ["j0"]), {OWN: own}, table("j0", "1", "2")),
    Golden("own_values", one_person.own_values(OWN), {OWN: own}, table("value", "null", "Flu")),
    Golden(
        "in_groups",
        one_person.in_groups(ROWS, GROUPS, ["j0"]),
        {ROWS: rows, GROUPS: table("j0", "1", "2")},
        inside,
    ),
    Golden(
        "group_keys",
        one_person.group_keys(INSIDE, ["j0"]),
        {INSIDE: inside},
        table("j0:text d", "1 0", "2 1"),
    ),
    Golden("id_side", one_person.id_side(OWN, INSIDE, ["i0"], ["y0"]), {OWN: own, INSIDE: inside}, ids),
    Golden(
        "id_counts",
        one_person.id_counts(IDS),
        {IDS: ids},
        table("d w own many", "0 1 true 1", "0 2 false 1", "1 1 true 1"),
    ),
    Golden("value_side", one_person.value_side(INSIDE, ["x0"]), {INSIDE: inside}, side),
    Golden(
        "value_counts",
        one_person.value_counts(SIDE),
        {SIDE: side},
        table("d p0 r many", "0 Flu 1 1", "0 HIV 1 2", "1 null 1 1"),
    ),
    Golden(
        "joined",
        one_person.joined(INSIDE, OWN, ["i0"], ["y0"], ["x0"]),
        {INSIDE: inside, OWN: own},
        table("d a t own many", "0 1 1 true 1", "0 1 2 false 1", "1 1 1 true 1"),
    ),
    Golden(
        "first_people",
        one_person.first_people(IDS, ["i0", "y0"], 1),
        {IDS: ids},
        table("d i0:text y0 w own place", "0 7 u 1 true 1", "1 7 u 1 true 1"),
    ),
    Golden(
        "first_values",
        one_person.first_values(SIDE, ["x0"], 2),
        {SIDE: side},
        table("d x0 p0 r place", "0 red Flu 1 1", "0 blue HIV 1 2", "1 red null 1 1"),
    ),
    Golden(
        "with_several",
        one_person.with_several(ROWS, INSIDE, ["i0"], ["j0", "y0"]),
        {ROWS: rows, INSIDE: inside},
        table("d", "0", "1"),
    ),
    Golden("people_like", one_person.people_like(ROWS, ["i0"]), {ROWS: rows}, table("i0:text", "7", "8", "9")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(one_person)


def test_every_query_is_here() -> None:
    assert uncovered(one_person, CASES) == []
