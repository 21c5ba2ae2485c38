"""The queries of `linkage`: two groups of two people, one of whom says nothing of their age."""

from __future__ import annotations

import pyarrow as pa
import pytest

from deniable.engines.scope import Relation
from deniable.sql import linkage
from deniable.sql.linkage import Grouped, Weighed
from tests.sql.golden import Golden, table, uncovered

FILE = Relation("people_file_1")
VALUES_FILE = Relation("values_file_2")
PEOPLE = Relation("published_people_3")
VALUES = Relation("published_values_4")
GROUPS = Relation("groups_5")
NAMED = Relation("named_6")
SIGNATURES = Relation("signatures_7")
SHAPES, CELLS = Relation("shapes_8"), Relation("cells_9")
OTHERS, OTHER_SHAPES, OTHER_CELLS = Relation("signatures_10"), Relation("shapes_11"), Relation("cells_12")
WORST, OTHER_WORST = Relation("worst_13"), Relation("worst_14")
TABLE = Relation("table_file_15")
VALUE_COUNTS, ALIKE, KINDS, NUMBERS = map(Relation, ("value_counts_16", "alike_17", "kinds_18", "numbers_19"))
SIGNATURE_TEXTS, VALUE_TEXTS = Relation("signature_texts_20"), Relation("value_texts_21")

people = table("person g:text q0 q1:text", "1 a m 30", "2 a f 40", "3 b f 40", "4 b f null")
values = table("g:text x", "a Flu", "a HIV", "b Flu", "b Flu")
groups = table("g:text people copies u", "a 2 2 0", "b 2 2 1")
named = table("x v", "Flu 0", "HIV 1")
signatures = table("q0 s", "f 0", "m 1")
shapes = table("u shape", "0 0", "1 1")
alike = table("u first_u", "0 0", "1 1", "2 0")
kinds = table("u often", "1 1", "0 2")
cells = table(
    "shape s v adversary probability:float lower:float upper:float bound:text reason:text",
    "0 0 0 full 0.6 0.6 0.6 exact null",
    "0 0 1 full 0.4 0.4 0.4 exact null",
    "0 1 0 full 0.4 0.4 0.4 exact null",
    "0 1 1 full 0.6 0.6 0.6 exact null",
    "1 0 0 full null null null null 'no world'",
)
others = table("q1:text s", "30 0", "40 1", "null 2")
other_cells = table(
    "shape s v adversary probability:float lower:float upper:float bound:text reason:text",
    "0 0 0 full 0.9 0.8 1 sampled null",
    "0 1 1 full null null null null 'not known'",
    "1 1 0 full 1 1 1 exact null",
    "1 2 0 full 1 1 1 exact null",
)
half_known = table(
    "shape s v adversary probability:float lower:float upper:float bound:text reason:text",
    "0 1 0 full 0.3 0.3 0.3 exact null",
)
BY_SEX = Weighed("sex", ["q0"], SIGNATURES, SHAPES, CELLS)
BY_AGE = Weighed("age", ["q1"], OTHERS, OTHER_SHAPES, OTHER_CELLS)
GROUPED = Grouped(PEOPLE, GROUPS, NAMED)
GROUPED_TABLES = {PEOPLE: people, GROUPS: groups, NAMED: named}
SEX_TABLES = {SIGNATURES: signatures, SHAPES: shapes, CELLS: cells}
AGE_TABLES = {OTHERS: others, OTHER_SHAPES: shapes, OTHER_CELLS: other_cells}

ANSWER = "person bucket problem adversary given probability:float lower:float upper:float bound:text reason:text"
SEX_ANSWERS = (
    "1 a Flu full sex 0.4 0.4 0.4 exact null",
    "1 a HIV full sex 0.6 0.6 0.6 exact null",
    "2 a Flu full sex 0.6 0.6 0.6 exact null",
    "2 a HIV full sex 0.4 0.4 0.4 exact null",
    "3 b Flu full sex null null null null 'no world'",
    "4 b Flu full sex null null null null 'no world'",
)
AGE_ANSWERS = (
    "1 a Flu full age 0.9 0.8 1 sampled null",
    "2 a HIV full age null null null null 'not known'",
    "3 b Flu full age 1 1 1 exact null",
    "4 b Flu full age 1 1 1 exact null",
)
OF_PEOPLE = "person adversary probability:float lower:float upper:float unknown untold no_world"
SEX_WORST = (
    "1 full 0.6 0.6 0.6 false false false",
    "2 full 0.6 0.6 0.6 false false false",
    "3 full null null null true false true",
    "4 full null null null true false true",
)
AGE_WORST = (
    "1 full 0.9 0.8 1 false false false",
    "2 full null null null true true false",
    "3 full 1 1 1 false false false",
    "4 full 1 1 1 false false false",
)

CASES = [
    Golden(
        "people",
        linkage.people(FILE, "bucket", ["sex", "age"]),
        {FILE: table("sex age bucket person", "m 30 1 1", "f null 2 2")},
        table("person g:text q0 q1:text", "1 1 m 30", "2 2 f null"),
    ),
    Golden(
        "people_of_table",
        linkage.people_of_table(TABLE, ["id"], ["sex", "age"], "problem"),
        {TABLE: table("id sex age problem", "7 m 30 Flu", "8 null 40 null")},
        table("i0:text q0 q1:text p0", "7 m 30 Flu", "8 null 40 null"),
    ),
    Golden(
        "values",
        linkage.values(VALUES_FILE, "bucket", "problem"),
        {VALUES_FILE: table("bucket problem", "1 Flu", "null HIV")},
        table("g:text x", "1 Flu", "null HIV"),
    ),
    Golden(
        "groups",  # a group of nobody, a value of no group; a null is a group
        linkage.groups(PEOPLE, VALUES),
        {
            PEOPLE: table("person g:text", "1 a", "2 a", "3 null", "4 c"),
            VALUES: table("g:text x", "a Flu", "b Flu", "null HIV", "null HIV"),
        },
        table("g:text people copies u", "a 2 1 0", "b 0 1 1", "c 1 0 2", "null 1 2 3"),
    ),
    Golden(
        "uneven",
        linkage.uneven(GROUPS),
        {GROUPS: table("g:text people copies u", "a 2 2 0", "b 3 2 1", "c 1 2 2")},
        table("n g people copies", "2 b 3 2"),
    ),
    Golden("totals", linkage.totals(GROUPS), {GROUPS: groups}, table("groups people", "2 4")),
    Golden(
        "numbered",
        linkage.numbered(PEOPLE, ["q0", "q1"], "s"),
        {PEOPLE: people},
        table("q0 q1:text s", "f 40 0", "f null 1", "m 30 2"),
    ),
    Golden(
        "by_number",
        linkage.by_number(OTHERS, ["q1"], "s"),
        {OTHERS: table("q1:text s", "40 1", "null 2", "30 0")},
        table("q1:text", "30", "40", "null"),
    ),
    Golden(
        "signature_counts",
        linkage.signature_counts(GROUPED, SIGNATURES, ["q0"]),
        {**GROUPED_TABLES, SIGNATURES: signatures},
        table("u s n", "0 0 1", "0 1 1", "1 0 2"),
    ),
    Golden(
        "value_counts",
        linkage.value_counts(VALUES, GROUPS, NAMED),
        {VALUES: values, GROUPS: groups, NAMED: named},
        table("u v n", "0 0 1", "0 1 1", "1 0 2"),
    ),
    Golden(
        "in_text",
        linkage.in_text(VALUE_COUNTS, "v"),
        {VALUE_COUNTS: table("u v n", "0 10 1", "0 2 1", "1 0 2")},
        table("u counted:text", "0 '2:1 10:1'", "1 0:2"),
    ),
    Golden(
        "alike",  # the third is like the first; the last has other values
        linkage.alike(SIGNATURE_TEXTS, VALUE_TEXTS),
        {
            SIGNATURE_TEXTS: table("u counted:text", "0 '0:1 1:1'", "1 0:2", "2 '0:1 1:1'", "3 '0:1 1:1'"),
            VALUE_TEXTS: table("u counted:text", "0 '0:1 1:1'", "1 '0:1 1:1'", "2 '0:1 1:1'", "3 0:2"),
        },
        table("u first_u", "0 0", "1 1", "2 0", "3 3"),
    ),
    Golden("kinds", linkage.kinds(ALIKE), {ALIKE: alike}, table("u often", "0 2", "1 1")),
    Golden("kinds_in_order", linkage.kinds_in_order(KINDS), {KINDS: kinds}, table("u often", "0 2", "1 1")),
    Golden(
        "counts_of_kinds",
        linkage.counts_of_kinds(VALUE_COUNTS, KINDS, "v"),
        {VALUE_COUNTS: table("u v n", "1 0 2", "0 1 1", "0 0 1", "2 0 1", "2 1 1"), KINDS: kinds},
        table("u v n", "0 0 1", "0 1 1", "1 0 2"),
    ),
    Golden(
        "shapes",
        linkage.shapes(ALIKE, NUMBERS),
        {ALIKE: alike, NUMBERS: table("u shape", "0 1", "1 0")},
        table("u shape", "0 1", "1 0", "2 1"),
    ),
    Golden(
        "estimate",  # men have a value that nobody published has; somebody in the table has no signature here
        linkage.estimate(TABLE, ["sex"], "problem", SIGNATURES, ["q0"], NAMED),
        {
            TABLE: table("sex problem", "m Flu", "m Gout", "f HIV", "f HIV", "f Flu", "d Flu"),
            SIGNATURES: signatures,
            NAMED: named,
        },
        table("s v n total", "1 0 1 2", "1 -1 1 2", "0 1 2 3", "0 0 1 3"),
    ),
    Golden(
        "answer",
        linkage.answer(GROUPED, [BY_SEX, BY_AGE], "bucket", "problem"),
        {**GROUPED_TABLES, **SEX_TABLES, **AGE_TABLES},
        table(ANSWER, *SEX_ANSWERS, *AGE_ANSWERS),
    ),
    Golden(
        "in_order",
        linkage.in_order(linkage.answer(GROUPED, [BY_SEX], "bucket", "problem")),
        {**GROUPED_TABLES, **SEX_TABLES},
        table(ANSWER, *SEX_ANSWERS),
    ),
    Golden("worst", linkage.worst(GROUPED, BY_SEX), {**GROUPED_TABLES, **SEX_TABLES}, table(OF_PEOPLE, *SEX_WORST)),
    Golden(
        "worst-some_not_known",
        linkage.worst(GROUPED, BY_AGE),
        {**GROUPED_TABLES, **AGE_TABLES, OTHER_CELLS: pa.concat_tables([other_cells[1:2], half_known])},
        table(OF_PEOPLE, "2 full 0.3 0.3 0.3 true true false"),
    ),
    Golden(
        "worst_groups",
        linkage.worst_groups(GROUPED, [WORST], 1),
        {**GROUPED_TABLES, WORST: table(OF_PEOPLE, *SEX_WORST)},
        table("g:text people probability:float", "a 2 0.6"),
    ),
    Golden(
        "values_in",
        linkage.values_in(VALUES, "a"),
        {VALUES: values},
        table("x", "Flu", "HIV"),
    ),
    Golden(
        "people_in",
        linkage.people_in(PEOPLE, "b", 1),
        {PEOPLE: people},
        table("person", "3"),
    ),
    Golden(
        "people_in-null",  # a null is a name like any other
        linkage.people_in(PEOPLE, None, 1),
        {PEOPLE: pa.concat_tables([people, table("person g:text q0 q1:text", "5 null f 40")])},
        table("person", "5"),
    ),
    Golden(
        "over",
        linkage.over([WORST], 0.5),
        {WORST: table(OF_PEOPLE, *SEX_WORST)},
        table("adversary worst worst_at_most over_ undecided no_world people", "full 0.6 0.6 2 2 2 4"),
    ),
    Golden(
        "over-any",  # over the limit for one set is over it; the first is so for the second set, perhaps
        linkage.over([WORST, OTHER_WORST], 0.85),
        {WORST: table(OF_PEOPLE, *SEX_WORST), OTHER_WORST: table(OF_PEOPLE, *AGE_WORST)},
        table("adversary worst worst_at_most:float over_ undecided no_world people", "full 1.0 null 2 2 2 4"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(linkage)


def test_every_query_is_here() -> None:
    assert uncovered(linkage, CASES) == []
