"""Which bands one value has: people(id, ten), values(fifteen, p) of an age; z1 is ten, z2 fifteen."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest
import sqlglot
from sqlglot import exp

from deniable.engines.dialect import OURS, column_type
from deniable.engines.scope import Relation
from deniable.sql import candidates
from deniable.sql.build import column
from tests.sql.golden import Golden, table, uncovered

SOURCE, TEXTS, LEVELS = Relation("source_1"), Relation("texts_2"), Relation("levels_3")
BIGINT, DATE = (column_type(kind) for kind in ("BIGINT", "DATE"))
DAY = datetime.date(2024, 2, 28)
TEN = exp.Sub(this=column("age"), expression=exp.Mod(this=column("age"), expression=exp.convert(10)))
OLD = exp.GT(this=column("age"), expression=exp.Literal.number(12))


def days(*found: datetime.date) -> pa.Table:
    return pa.table({"day": pa.array(found, pa.date32())})


CASES = [
    Golden(
        "starts",
        candidates.starts(SOURCE, TEN),
        {SOURCE: table("age:long", "5", "7", "17", "null")},
        table("x:text", "0", "10"),
    ),
    Golden(
        "starts-part",
        candidates.starts(SOURCE, candidates.part_start(column("day"), "quarter")),
        {SOURCE: days(DAY, datetime.date(2024, 4, 1))},
        table("x", "'2024-01-01 00:00:00'", "'2024-04-01 00:00:00'"),
    ),
    Golden("labels", candidates.labels(LEVELS), {LEVELS: table("t0 t1", "a A", "b A", "b A")}, table("x", "a", "b")),
    Golden(
        "values",
        candidates.values(TEXTS, "age", BIGINT),
        {TEXTS: table("x:text", "5", "-1", "far", "99999999999999999999")},
        table("age:long", "5", "-1"),
    ),
    Golden(
        "values-dates",
        candidates.values(TEXTS, "day", DATE),
        {TEXTS: table("x:text", "2024-02-28", "never")},
        days(DAY, datetime.date(2024, 2, 29)),
    ),
    Golden(
        "combinations",
        candidates.combinations(SOURCE, {"ten": "z1", "fifteen": "z2"}, OLD),
        {SOURCE: table("age ten fifteen", "5 0-9 0-14", "13 10-19 0-14", "14 10-19 0-14", "17 10-19 15-29")},
        table("z1 z2", "10-19 0-14", "10-19 15-29"),
    ),
    Golden(
        "whole",
        candidates.whole(SOURCE, ["ten", "town"]),
        {SOURCE: table("age ten town", "5 0-9 a", "6 0-9 null", "null null b")},
        table("age ten town", "5 0-9 a"),
    ),
    Golden(
        "together",
        candidates.together([candidates.labels(LEVELS), candidates.labels(TEXTS)]),
        {LEVELS: table("t0", "a"), TEXTS: table("t0", "a", "b")},
        table("x", "a", "b"),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(candidates)


def test_every_query_is_here() -> None:
    assert uncovered(candidates, CASES) == []


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("age > 45", ["45"]),
        ("NOT (age BETWEEN -3 AND 45 OR age IN (7, 8)) AND age IS NOT NULL", ["-3", "45", "7", "8"]),
        ("band LIKE '4%' AND age <> 40.5", ["40.5"]),
        ("age % 2 = 0", None),
        ("age + 1 > 45", None),
        ("other = '40-49'", None),
        ("age = other", None),
    ],
)
def test_what_a_column_is_compared_with(condition: str, found: list[str] | None) -> None:
    tree = sqlglot.parse_one(condition, read=OURS)
    compared = candidates.constants(tree, "age", ["band"])
    assert (None if compared is None else sorted(compared)) == found
