"""Coarser columns: the trees, and what they make of cells, borders and odd numbers above all."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from sqlglot import exp

from deniable.engines import opened
from deniable.engines.dialect import column_type
from deniable.engines.scope import Relation
from deniable.sql import coarser
from deniable.sql.build import column
from deniable.sql.coarser import Derived, Lookup
from tests.sql.golden import Golden, table, uncovered

SOURCE, LEVELS, OTHERS = Relation("source_1"), Relation("levels_1"), Relation("others_1")
BIGINT, INTEGER, DOUBLE = (column_type(kind) for kind in ("BIGINT", "INTEGER", "DOUBLE"))
TEN = Decimal(10)
LAST = datetime.datetime(2024, 2, 29, 23, 59, 59)


def cell(name: str) -> exp.Expr:
    return column(name, "source")


CASES = [
    Golden(
        "with_coarser",
        coarser.with_coarser(
            SOURCE,
            ["name", "age"],
            [
                Derived("age_band", "age", coarser.band(cell("age"), BIGINT, TEN, Decimal(0))),
                Derived("moved", "age", coarser.band(cell("age"), BIGINT, TEN, Decimal(5))),
                Derived("initial", "name", coarser.prefix(cell("name"), 1)),
                Derived("old", "age", coarser.cap(cell("age"), BIGINT, Decimal(50))),
            ],
        ),
        {SOURCE: table("name age:long", "ann -1", "bob 45", "cy 50", "di null")},
        table(
            "name age age_band moved initial old:text",
            "ann -1 '-10--1' '-5-4' a '-1'",
            "bob 45 40-49 45-54 b '45'",
            "cy 50 50-59 45-54 c 50+",
            "di null null null d null",
        ),
    ),
    Golden(
        "with_coarser-lookups",
        coarser.with_coarser(
            SOURCE,
            ["zip"],
            [Derived("town", "zip", Lookup(LEVELS, 1)), Derived("region", "zip", Lookup(LEVELS, 2))],
        ),
        {
            SOURCE: table("zip:long", "7", "8", "9", "null"),
            LEVELS: table("t0:text t1 t2", "7 a north", "8 b north"),
        },
        table("zip town region", "7 a north", "8 b north", "9 null null", "null null null"),
    ),
    Golden(
        "with_coarser-decimals",
        coarser.with_coarser(
            SOURCE, ["x"], [Derived("b", "x", coarser.band(cell("x"), DOUBLE, Decimal("0.1"), Decimal("0.05")))]
        ),
        {SOURCE: table("x:float", "0.05", "0.15", "-0.05", "null")},
        table("x b", "0.05 '[0.05,0.15)'", "0.15 '[0.15,0.25)'", "-0.05 '[-0.05,0.05)'", "null null"),
    ),
    Golden(
        "texts",
        coarser.texts(SOURCE, ["age", "band"], "row of the table"),
        {SOURCE: table("age band", "5 0-9", "null null").append_column("row of the table", pa.array([1, 2]))},
        table("age:text band", "5 0-9", "null null").append_column("row of the table", pa.array([1, 2])),
    ),
    Golden(
        "texts-unnumbered",
        coarser.texts(SOURCE, ["age"], ""),
        {SOURCE: table("age band", "5 0-9")},
        table("age:text", "5"),
    ),
    Golden(
        "placeless",
        coarser.placeless(SOURCE, {"region": "zip", "town": "zip"}),
        {SOURCE: table("zip region town", "1 north a", "2 null a", "2 null b", "3 null null", "null null null")},
        table("n0:long n1:long", "2 1"),
    ),
    Golden(
        "given",
        coarser.given([exp.Literal.number(1), exp.Null(), exp.Literal.number(1)], "pay"),
        {},
        table("pay:int", "1", "null"),
    ),
    Golden(
        "beside_each_other",
        coarser.beside_each_other([SOURCE], ["pay", "pay band"]),
        {SOURCE: table("pay x", "1 2").append_column("pay band", pa.array(["0-9"]))},
        table("pay", "1").append_column("pay band", pa.array(["0-9"])),
    ),
    Golden(
        "beside_each_other-two",
        coarser.beside_each_other([SOURCE, OTHERS], ["a", "b"]),
        {SOURCE: table("a b", "1 2", "1 2", "3 null"), OTHERS: table("b a", "null 3", "5 6")},
        table("a b", "1 2", "3 null", "6 5"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(coarser)


def test_every_query_is_here() -> None:
    assert uncovered(coarser, CASES) == []


def made(tree: exp.Expr, kind: str, *cells: Any) -> list[Any]:
    """What a function makes of some cells of a type, in their order."""
    values = [exp.cast(exp.convert(str(cell)) if cell is not None else exp.Null(), kind) for cell in cells]
    rows = [exp.select(exp.alias_(value, "x"), exp.alias_(exp.convert(i), "i")) for i, value in enumerate(values)]
    source = exp.union(*rows, distinct=False).subquery("source")
    with opened() as engine:
        found = engine.fetch(exp.select(exp.alias_(tree, "y")).from_(source).order_by("i"))
    return list(found.column("y").to_pylist())


def bands(kind: str, width: str, start: str, *cells: Any) -> list[Any]:
    return made(coarser.band(cell("x"), column_type(kind), Decimal(width), Decimal(start)), kind, *cells)


def test_whole_bands_hold_at_both_ends_of_a_type() -> None:
    least, most = -(2**63), 2**63 - 1
    found = bands("BIGINT", "10", "0", least, -11, -10, -1, 0, 9, most, None)
    ends = ["-9223372036854775810--9223372036854775801", "9223372036854775800-9223372036854775809"]
    assert found == [ends[0], "-20--11", "-10--1", "-10--1", "0-9", "0-9", ends[1], None]
    assert bands("TINYINT", "1", "0", -128, 127) == ["-128", "127"]
    assert bands("INTEGER", "1000000000000", "1", 0, 1) == ["-999999999999-0", "1-1000000000000"]


def test_bands_of_a_tenth_begin_where_people_write_that_they_do() -> None:
    cells = [k / 10 for k in range(-20, 21)]
    found = bands("DOUBLE", "0.1", "0", *cells)
    assert [float(label[1:].split(",")[0]) for label in found] == cells
    below = [math.nextafter(x, -9) for x in cells]
    assert bands("DOUBLE", "0.1", "0", *below)[1:] == found[:-1]


def test_numbers_that_no_band_can_count_have_none() -> None:
    assert bands("DOUBLE", "0.1", "0", "nan", "inf", "-inf", "1e300", "1e13") == [
        None, None, None, None, "[10000000000000,10000000000000.1)",
    ]  # fmt: skip


def test_decimals_and_whole_numbers_beside_a_fraction_are_exact() -> None:
    assert bands("DECIMAL(10,3)", "0.25", "0", "0.249", "0.250", "-0.001") == ["[0,0.25)", "[0.25,0.5)", "[-0.25,0)"]
    assert bands("BIGINT", "2.5", "0", 2, 3, 5, -1) == ["[0,2.5)", "[2.5,5)", "[5,7.5)", "[-2.5,0)"]
    assert bands("DOUBLE", "10", "0.5", 0.25, 0.5, 10.5) == ["[-9.5,0.5)", "[0.5,10.5)", "[10.5,20.5)"]


def parts(kind: str, name: str, *cells: Any) -> list[Any]:
    return made(coarser.part(cell("x"), name), kind, *cells)


def test_parts_of_dates() -> None:
    days = ["2024-12-30", "2021-01-01", None]
    assert parts("DATE", "year", *days) == [2024, 2021, None]
    assert parts("DATE", "quarter", *days) == ["2024-Q4", "2021-Q1", None]
    assert parts("DATE", "month", *days) == ["2024-12", "2021-01", None]
    assert parts("DATE", "week", *days) == ["2025-W01", "2020-W53", None]  # a week's year is its Thursday's
    assert parts("TIMESTAMP", "day", LAST, None) == ["2024-02-29", None]
    assert parts("TIMESTAMP", "hour", LAST, None) == ["2024-02-29 23", None]


def test_a_cap_keeps_what_is_below_it_apart() -> None:
    whole = coarser.cap(cell("x"), BIGINT, Decimal(100000))
    assert made(whole, "BIGINT", 0, 99999, 100000, 2**60, None) == ["0", "99999", "100000+", "100000+", None]
    floats = coarser.cap(cell("x"), DOUBLE, Decimal("1.5"))
    assert made(floats, "DOUBLE", "-0.0", "0", "1.25", "1.5", "-inf") == ["0.0", "0.0", "1.25", "1.5+", "-inf"]
