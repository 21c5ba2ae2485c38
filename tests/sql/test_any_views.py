"""Three views in a chain, people(id, a), between(a, b), values(b, p): z0 is the id, z1 a, z2 b and z3 the value."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import any_views
from deniable.sql.adversaries import fields_of
from deniable.sql.any_views import Joined, Possible
from tests.sql.golden import Golden, table, uncovered

ROWS, VALUES, SIDE0, SIDE1, SIDE2, BUNDLES, CLAUSES1, CLAUSES2, REACH, TOUCHED = (
    Relation(name)
    for name in (
        "rows_1", "values_2", "side_3", "side_4", "side_5", "bundles_6", "clauses_7", "clauses_8", "reach_9",
        "touched_10",
    )
)  # fmt: skip
TYPES, LISTED, KINDS, PEOPLE, MEMBERS, TOTALS, SECRETS, FOUND = (
    Relation(name)
    for name in (
        "person_types_11", "people_types_12", "kinds_13", "people_14", "members_15", "members_total_16", "secrets_17",
        "kind_answers_18",
    )
)  # fmt: skip
KEPT = [["z1"], ["z1", "z2"], ["z2", "z3"]]
JOINED = Joined(KEPT, [0, 1, 2], "z3")
POSSIBLE = Relation("possible_19")
CUT = Joined([["z1"], ["z2", "z3"]], [0, 1], "z3", [Possible(POSSIBLE, ("z1", "z2"))])
FIELDS = fields_of("restricted")

# ann and bob share a = 1, whose only b is x, with Flu and HIV; cy has a = 2, b = y, Flu.
rows = table("i0 z0 z1 z2 z3 s", "ann ann 1 x Flu true", "bob bob 1 x HIV true", "cy cy 2 y Flu false")
values = table("p0 v", "Flu 0", "HIV 1")
side0 = table("z1 u0:int mu0", "1 0 2", "2 1 1")
side1 = table("z1 z2 u1:int mu1", "1 x 0 1", "2 y 1 1")
side2 = table("z2 z3 u2:int mu2", "x Flu 0 1", "x HIV 1 1", "y Flu 2 1")
bundles = table("u0 mu0 u1 mu1 u2 mu2 v n:float", "0 2 0 1 0 1 0 2", "0 2 0 1 1 1 1 2", "1 1 1 1 2 1 0 1")
clauses1 = table("u w:float mu", "0 4 1", "1 1 1")
clauses2 = table("u w:float mu", "0 2 1", "1 2 1", "2 1 1")
reach = table("a v c:float", "0 0 1", "0 1 1", "1 0 1")
touched = table("a k u t:float mu w:float", "0 1 0 2 1 4", "1 1 1 1 1 1", "0 2 0 1 1 2", "0 2 1 1 1 2", "1 2 2 1 1 1")
types = table("i0 a", "ann 0", "bob 0", "cy 1", "di 0", "di 1")  # di has two ID-side tuples
listed = table("i0 types:text", "ann 0", "bob 0", "cy 1", "di '0 1'")
kinds = table("types:text kind:int", "0 0", "1 1", "'0 1' 2")
people = table("i0 kind", "ann 0", "bob 0", "cy 1")
members = table("kind a times", "0 0 1", "1 1 1", "2 0 1", "2 1 1")
totals = table("kind total:float alone", "0 2 true", "1 1 true", "2 3 false")
secrets = table("i0 v", "ann 0", "bob 1")
found = table(
    f"kind v method {' '.join(FIELDS)}", "0 0 0 0.5 0.5 0.5 exact", "0 1 0 0.5 0.5 0.5 exact", "1 0 0 1.0 1.0 1.0 exact"
)

CASES = [
    Golden("side", any_views.side(ROWS, 0, ["z0", "z1"], ["z1"]), {ROWS: rows}, side0, numbers=["u0"]),
    Golden("side-apart", any_views.side(ROWS, 0, ["z0", "z1"], []), {ROWS: rows}, table("u0 mu0", "0 3")),
    Golden(
        "bundles",
        any_views.bundles([SIDE0, SIDE1, SIDE2], VALUES, JOINED),
        {SIDE0: side0, SIDE1: side1, SIDE2: side2, VALUES: values},
        bundles,
    ),
    Golden(
        "bundles-apart",
        any_views.bundles([SIDE0, SIDE2], VALUES, Joined([[], ["z3"]], [0, 1], "z3")),
        {
            SIDE0: table("u0 mu0", "0 3"),
            SIDE2: table("z3 u1 mu1", "Flu 0 1", "HIV 1 1"),
            VALUES: values,
        },
        table("u0 mu0 u1 mu1 v n:float", "0 3 0 1 0 3", "0 3 1 1 1 3"),
    ),
    Golden(
        "bundles-cut",  # z1 in bands that overlap with those of z2: some of each can stand in one row
        any_views.bundles([SIDE0, SIDE2], VALUES, CUT),
        {
            SIDE0: table("z1 u0 mu0", "0-9 0 2", "10-19 1 1", "null 2 1"),
            SIDE2: table("z2 z3 u1 mu1", "0-14 Flu 0 1", "15-29 HIV 1 1", "null HIV 2 1"),
            VALUES: values,
            POSSIBLE: table("z1 z2", "0-9 0-14", "10-19 0-14", "10-19 15-29", "null null"),
        },
        table("u0 mu0 u1 mu1 v n:float", "0 2 0 1 0 2", "1 1 0 1 0 1", "1 1 1 1 1 1", "2 1 2 1 1 1"),
    ),
    Golden(
        "at_most",
        any_views.at_most(any_views.bundles([SIDE0, SIDE1, SIDE2], VALUES, JOINED), 1),
        {SIDE0: side0, SIDE1: side1, SIDE2: side2, VALUES: values},
        table("k", "2"),
    ),
    Golden("clause_sizes", any_views.clause_sizes(BUNDLES, 1), {BUNDLES: bundles}, clauses1),
    Golden("bare_bundles", any_views.bare_bundles(BUNDLES, 3), {BUNDLES: bundles}, bundles.drop_columns(["n"])),
    Golden("reach", any_views.reach(BUNDLES, 0), {BUNDLES: bundles}, reach),
    Golden(
        "touched",
        any_views.touched(BUNDLES, {1: CLAUSES1, 2: CLAUSES2}, 0),
        {BUNDLES: bundles, CLAUSES1: clauses1, CLAUSES2: clauses2},
        table("a k u t:float mu w:float", "0 1 0 2 1 4", "1 1 1 1 1 1", "0 2 0 1 1 2", "0 2 1 1 1 2", "1 2 2 1 1 1"),
    ),
    Golden(
        "person_types",
        any_views.person_types(ROWS, SIDE0, ["i0"], ["z0", "z1"], ["z1"], 0),
        {ROWS: rows, SIDE0: side0},
        types.slice(0, 3),
    ),
    Golden("types", any_views.types(TYPES), {TYPES: types}, table("a", "0", "1")),
    Golden("people_settled", any_views.people_settled(TYPES, ["i0"]), {TYPES: types.slice(0, 3)}, people),
    Golden("people_types", any_views.people_types(TYPES, ["i0"]), {TYPES: types}, listed),
    Golden("kinds", any_views.kinds(LISTED), {LISTED: listed}, kinds, numbers=["kind"]),
    Golden(
        "people_of_kinds",
        any_views.people_of_kinds(LISTED, KINDS, ["i0"]),
        {LISTED: listed, KINDS: kinds},
        table("i0 kind", "ann 0", "bob 0", "cy 1", "di 2"),
    ),
    Golden("members_total", any_views.members_total(REACH, MEMBERS), {REACH: reach, MEMBERS: members}, totals),
    Golden(
        "kind_touched",
        any_views.kind_touched(TOUCHED, MEMBERS, TOTALS),
        {TOUCHED: touched, MEMBERS: members, TOTALS: totals},
        table("kind sigma:float", "0 1.25", "1 0", "2 3.25"),
    ),
    Golden(
        "kind_reach",
        any_views.kind_reach(REACH, MEMBERS),
        {REACH: reach, MEMBERS: members.slice(0, 2)},
        table("kind a times v c:float w:float", "0 0 1 0 1 2", "0 0 1 1 1 2", "1 1 1 0 1 1"),
    ),
    Golden("secrets", any_views.secrets(ROWS, VALUES, ["i0"], "z3"), {ROWS: rows, VALUES: values}, secrets),
    Golden(
        "answers",
        any_views.answers(SECRETS, PEOPLE, FOUND, ["i0"]),
        {SECRETS: secrets, PEOPLE: people, FOUND: found},
        table(
            f"kind v method {' '.join(FIELDS)} s everybody",
            "0 0 0 0.5 0.5 0.5 exact 1 2",
            "0 1 0 0.5 0.5 0.5 exact 1 2",
            "1 0 0 1.0 1.0 1.0 exact 0 1",
        ),
    ),
    Golden(
        "wide_everything",
        any_views.wide_everything(PEOPLE, FOUND, ["i0"], FIELDS),
        {PEOPLE: people.slice(1), FOUND: found},
        table(
            f"i0 v {' '.join(FIELDS)}",
            "bob 0 0.5 0.5 0.5 exact",
            "bob 1 0.5 0.5 0.5 exact",
            "cy 0 1.0 1.0 1.0 exact",
        ),
    ),
    Golden(
        "wide_secrets",
        any_views.wide_secrets(SECRETS, PEOPLE, FOUND, ["i0"], FIELDS),
        {SECRETS: secrets, PEOPLE: people, FOUND: found},
        table(f"i0 v {' '.join(FIELDS)}", "ann 0 0.5 0.5 0.5 exact", "bob 1 0.5 0.5 0.5 exact"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(any_views)


def test_every_query_is_here() -> None:
    assert uncovered(any_views, CASES) == []
