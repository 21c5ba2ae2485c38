"""The queries of `attack`, each as text that can be read, and executed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from deniable.engines.scope import Relation
from deniable.sql import attack
from tests.sql.golden import Golden, table, uncovered

FILE, OTHER = Relation("file"), Relation("other")
KNOWN, PEOPLE, VALUES = Relation("known"), Relation("people"), Relation("value_numbers")
PUBLISHED, POPULATION, GROUPS, SEATS = (Relation(n) for n in ("published", "population", "group_numbers", "seats"))

# Two releases: in the first Ann and Bob, in the second Ann and a counterfeit.
ROWS = table("r g:text x:text row", "1 a flu 1", "1 a cold 2", "2 b flu 1", "2 b null 2", "2 null flu 3")
NUMBERED = table("r g:text copies:long u:long", "1 a 2 0", "2 b 2 1")
CODES = table("x:text v:long", "cold 0", "flu 1", "null 2")
WHO = table("i0:text person:long", "ann 0", "bob 1")
ROLL = table("r:long g:text i0:text x:text row", "1 a ann flu 1", "1 a bob cold 2", "2 b ann flu 3")
SAT = table(
    "row r:long g:text x:text person:long u:long copies:long v:long",
    "1 1 a flu 0 0 2 1",
    "2 1 a cold 1 0 2 0",
    "3 2 b flu 0 1 2 1",
)
# Everything that may be wrong with seats: no release, no group, a strange group, twice, another value, too many.
WRONG = table(
    "row r:long g:text x:text person:long u:long copies:long v:long",
    "1 1 a flu 0 0 1 1",
    "2 1 a cold 0 0 1 0",
    "3 3 a flu 1 null null 1",
    "4 2 null flu 2 null null 1",
    "5 2 z flu 3 null null 1",
    "6 null a flu 4 null null 1",
)


def file(header: str, *lines: str) -> pa.Table:
    """A file of a user with its rows numbered."""
    rows = table(header, *lines)
    return rows.append_column(attack.ROW, pa.array(range(1, len(rows) + 1), pa.int32()))


CASES = [
    Golden(
        "known",
        attack.known(FILE, ["who", "born"], "problem"),
        {FILE: file("who born problem", "ann 1990 flu")},
        table("row i0:text i1:text x:text", "1 ann 1990 flu"),
    ),
    Golden(
        "matched",
        attack.matched(KNOWN, PEOPLE, VALUES, 1),
        {KNOWN: table("row i0:text x:text", "1 ann flu", "2 zoe null"), PEOPLE: WHO, VALUES: CODES},
        table("row i0:text person:long v:long", "1 ann 0 1", "2 zoe null 2"),
    ),
    Golden(
        "release_rows",
        attack.release_rows(FILE, 2, "group", "problem"),
        {FILE: file("group problem", "7 flu")},
        table("r g:text x:text row", "2 7 flu 1"),
    ),
    Golden(
        "together",
        attack.together([attack.release_rows(one, k, "g", "x") for k, one in enumerate((FILE, OTHER), 1)]),
        {FILE: file("g x", "7 flu"), OTHER: file("g x", "7 flu")},
        table("r g:text x:text row", "1 7 flu 1", "2 7 flu 1"),
    ),
    Golden(
        "population",
        attack.population(FILE, "release", "group", ["name"], "problem"),
        {FILE: file("release:text group:text name:text problem:text", "1 a ann flu", "x a bob null", "1 a null flu")},
        table("r:long g:text i0:text x:text row", "1 a ann flu 1", "null a bob null 2"),
    ),
    Golden(
        "population-without_truth",
        attack.population(FILE, "release", "group", ["name"], None),
        {FILE: file("release group name", "1 a ann")},
        table("r:long g:text i0:text x:text row", "1 a ann null 1"),
    ),
    Golden("groups", attack.groups(PUBLISHED), {PUBLISHED: ROWS}, NUMBERED),
    Golden("values", attack.values(PUBLISHED), {PUBLISHED: ROWS}, CODES),
    Golden("people", attack.people(POPULATION, 1), {POPULATION: ROLL}, WHO),
    Golden(
        "seats",
        attack.seats(POPULATION, PEOPLE, GROUPS, VALUES, 1),
        {POPULATION: ROLL, PEOPLE: WHO, GROUPS: NUMBERED, VALUES: CODES},
        SAT,
    ),
    Golden("rows_without_group", attack.rows_without_group(PUBLISHED, 2), {PUBLISHED: ROWS}, table("n row", "1 3")),
    Golden("other_releases", attack.other_releases(SEATS, 2), {SEATS: WRONG}, table("n row", "2 3")),
    Golden("seats_without_group", attack.seats_without_group(SEATS), {SEATS: WRONG}, table("n row", "1 4")),
    Golden("other_groups", attack.other_groups(SEATS, 2), {SEATS: WRONG}, table("n row", "1 5")),
    Golden(
        "crowded",
        attack.crowded(SEATS),
        {SEATS: WRONG},
        table("n row g:text r:long members copies", "1 1 a 1 2 1"),
    ),
    Golden("doubled", attack.doubled(SEATS), {SEATS: WRONG}, table("n row", "1 2")),
    Golden("changed", attack.changed(SEATS), {SEATS: WRONG}, table("n row", "1 2")),
    Golden(
        "changed-to_null",
        attack.changed(SEATS),
        {SEATS: table("row person x:text", "1 0 flu", "2 0 null", "3 1 null", "4 1 null")},
        table("n row", "1 2"),
    ),
    Golden("unheld", attack.unheld(PUBLISHED, SEATS), {PUBLISHED: ROWS, SEATS: SAT}, table("n row:int", "0 null")),
    Golden(
        "unheld-some",
        attack.unheld(PUBLISHED, SEATS),
        {PUBLISHED: table("r g:text x:text row", "1 a flu 1", "2 b flu 1"), SEATS: SAT},
        table("n row", "1 2"),
    ),
    Golden(
        "codes",
        attack.codes(PUBLISHED, GROUPS, VALUES),
        {PUBLISHED: ROWS, GROUPS: NUMBERED, VALUES: CODES},
        table("u v", "0 0", "0 1", "1 1", "1 2"),
    ),
    Golden("members", attack.members(SEATS), {SEATS: SAT}, table("u person", "0 0", "0 1", "1 0")),
    Golden("truth", attack.truth(SEATS), {SEATS: SAT}, table("person v", "0 1", "1 0")),
    Golden("names_of_people", attack.names_of_people(PEOPLE, 1), {PEOPLE: WHO}, table("i0:text", "ann", "bob")),
    Golden("names_of_values", attack.names_of_values(VALUES), {VALUES: CODES}, table("x:text", "cold", "flu", "null")),
    Golden("releases_of_groups", attack.releases_of_groups(GROUPS), {GROUPS: NUMBERED}, table("r", "1", "2")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(attack)


def test_every_query_is_here() -> None:
    assert uncovered(attack, CASES) == []
