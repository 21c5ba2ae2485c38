"""From answers to what users read: one adversary who has no world for somebody, and unrestricted who pins them down."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import associations
from deniable.sql.adversaries import fields_of
from deniable.sql.associations import Listing, Required
from tests.sql.golden import Golden, table, uncovered

ANSWERS, WIDE, VALUES, NAMES = (Relation(name) for name in ("answers_1", "wide_2", "values_3", "adversaries_4"))
SHAPES = Relation("shapes_5")
BOTH = ("unrestricted", "keyed")
ANSWERED = " ".join(fields_of(*BOTH))
CERTAIN, LIKELY, OPEN = "1.0 1.0 1.0 exact null null null exact", "0.7 0.6 0.8 proved 0.5 0.5 0.5 exact", (
    "0.5 0.4 0.6 proved 0.25 0.25 0.25 exact"
)  # fmt: skip
answers = table(f"v s {ANSWERED}", f"0 2 {CERTAIN}", f"1 3 {LIKELY}", f"2 5 {OPEN}", f"2 0 {LIKELY}")
wide = table(f"i0 v {ANSWERED}", f"ann 0 {CERTAIN}", f"bob 1 {LIKELY}", f"bob 2 {OPEN}", f"cy 2 {OPEN}")
values = table("p0 v", "Flu 0", "HIV 1", "null 2")
names = table("adversary place", "unrestricted 0", "keyed 1")
listing = Listing(["i0"], ["the name"], "problem", BOTH, ordered=True)
listed = table(
    "name problem adversary probability lower upper bound",
    "ann Flu unrestricted 1.0 1.0 1.0 exact",
    "ann Flu keyed null null null exact",
    "bob HIV unrestricted 0.7 0.6 0.8 proved",
    "bob HIV keyed 0.5 0.5 0.5 exact",
    "bob null unrestricted 0.5 0.4 0.6 proved",
    "bob null keyed 0.25 0.25 0.25 exact",
    "cy null unrestricted 0.5 0.4 0.6 proved",
    "cy null keyed 0.25 0.25 0.25 exact",
).rename_columns(["the name", "problem", "adversary", "probability", "lower", "upper", "bound"])

REQUIRED = Required(0.5, BOTH)

CASES = [
    Golden(
        "tallies",
        associations.tallies(ANSWERS, BOTH, "s"),
        {ANSWERS: answers},
        table(
            "associations unrestricted_no_world unrestricted_unanswered unrestricted_certain unrestricted_over_half "
            "unrestricted_worst unrestricted_worst_at_most keyed_no_world keyed_unanswered keyed_certain "
            "keyed_over_half keyed_worst keyed_worst_at_most",
            "10 0 0 2 5 1.0 1.0 2 0 0 0 0.5 0.5",
        ),
    ),
    Golden(
        "wider_than",
        associations.wider_than(ANSWERS, BOTH, "s", 0.1),
        {ANSWERS: answers},
        table("associations", "8"),
    ),
    Golden(
        "spread",
        associations.spread(ANSWERS, "unrestricted", "s", 4),
        {ANSWERS: answers},
        table("band associations", "2 8", "3 2"),
    ),
    Golden(
        "worst_groups",
        associations.worst_groups(SHAPES, "keyed", "s", 2),
        {
            SHAPES: table(
                "g m n k s keyed_value",
                "0 2 3 3 1 0.5",
                "0 2 3 3 1 0.7",
                "1 5 2 2 1 0.7",
                "2 9 9 9 0 1.0",
                "3 5 2 2 1 0.7000000000000001",
            )
        },
        table("m n k value groups", "5 2 2 0.7000000000000001 2", "2 3 3 0.7 1"),
    ),
    Golden(
        "likeliest",
        associations.likeliest(WIDE, ["i0"], "keyed", 2),
        {WIDE: wide},
        table("i0 value", "bob 0.5", "bob 0.25"),
    ),
    Golden(
        "highest",
        associations.highest(ANSWERS, "unrestricted", "s", 2),
        {ANSWERS: answers},
        table("value associations", "1.0 2", "0.7 3"),
    ),
    Golden(
        "over_limit",
        associations.over_limit(ANSWERS, BOTH, "s", REQUIRED),
        {ANSWERS: answers},
        table(
            "asked unrestricted_over unrestricted_undecided unrestricted_unanswered unrestricted_no_world "
            "unrestricted_certain unrestricted_worst unrestricted_worst_at_most keyed_over keyed_undecided "
            "keyed_unanswered keyed_no_world keyed_certain keyed_worst keyed_worst_at_most",
            "10 5 5 0 0 2 1.0 1.0 2 0 0 2 2 0.5 0.5",
        ),
    ),
    Golden("summed", associations.summed(ANSWERS, "s"), {ANSWERS: answers}, table("total", "10")),
    Golden(
        "people_over",
        associations.people_over(WIDE, ["i0"], BOTH, REQUIRED),
        {WIDE: wide},
        table(
            "asked unrestricted_over unrestricted_undecided unrestricted_unanswered unrestricted_no_world "
            "unrestricted_certain unrestricted_worst unrestricted_worst_at_most keyed_over keyed_undecided "
            "keyed_unanswered keyed_no_world keyed_certain keyed_worst keyed_worst_at_most",
            "3 2 2 0 0 1 1.0 1.0 1 0 0 1 1 0.5 0.5",  # ann is pinned down by the views
        ),
    ),
    Golden("most", associations.most(ANSWERS, "s"), {ANSWERS: answers}, table("most", "5")),
    Golden("everything", associations.everything(VALUES), {VALUES: values}, values),
    Golden(
        "long_form",
        associations.long_form(WIDE, VALUES, NAMES, listing),
        {WIDE: wide, VALUES: values, NAMES: names},
        listed,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(associations)


def test_every_query_is_here() -> None:
    assert uncovered(associations, CASES) == []
