"""The counts behind repairs."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from deniable.engines.dialect import OURS, TEXT, column_type
from deniable.engines.scope import Relation
from deniable.sql import repair
from deniable.sql.associations import Required
from deniable.sql.parse import View
from tests.sql.golden import Golden, table, uncovered

SOURCE, CUBE, WIDE, ROWS, PEOPLE = map(Relation, ("source", "cube", "wide", "rows", "people"))
NUMBER = column_type("INTEGER")
CELLS = table("age:int zip:text p:text", "40 0712 a", "40 0712 a", "41 99 b", "null null b")
COUNTS = table(  # group 1: a twice by one tuple, b once; group 2: only c; group 3: d and e by two tuples
    "c0:int c1:text p:text r:long s:long",
    "1 x a 2 2", "1 x b 1 1", "2 x c 3 3", "3 x d 1 1", "3 y d 1 0", "3 x e 1 1",
)  # fmt: skip


def condition(sql: str) -> exp.Expr:
    return sqlglot.parse_one(sql, read=OURS)


def view(sql: str | None = None, *, distinct: bool = False) -> View:
    return View("v", ("zip", "age"), distinct, condition(sql) if sql else None, "")


SHAPES = repair.shapes(SOURCE, [("age", NUMBER), ("zip", TEXT)])
WIDE_ROWS = table(
    "i0:text unrestricted_value:float unrestricted_lower:float unrestricted_upper:float unrestricted_bound:text",
    "ann 0.6 0.6 0.6 exact", "ann 0.4 0.4 0.4 exact", "bob 0.5 0.4 0.6 proved", "cy 0.2 0.2 0.2 exact",
)  # fmt: skip

CASES = [
    Golden("shapes", SHAPES, {SOURCE: CELLS},
           table("rows d0 low0:text high0:text d1 shortest1 longest1 codes1", "4 2 '40' '41' 2 2 4 true")),
    Golden("cube", repair.cube(SOURCE, ["age"], "p", None, None, []), {SOURCE: CELLS},
           table("c0 p r s", "40 a 2 2", "41 b 1 1", "null b 1 1")),
    Golden("cube-some", repair.cube(SOURCE, ["zip"], "p", condition("age > 39"), condition("p = 'a'"), []),
           {SOURCE: CELLS}, table("c0:text p r s", "0712 a 2 2", "99 b 1 0")),
    Golden("rolled_up", repair.rolled_up(CUBE, ["c1"]), {CUBE: COUNTS},
           table("c1 p r s", "x a 2 2", "x b 1 1", "x c 3 3", "x d 1 1", "y d 1 0", "x e 1 1")),
    Golden("uncertainty", repair.uncertainty(CUBE, "c1"), {CUBE: COUNTS},
           table("rows nlogn", "9.0 16.635532333438686")),
    Golden("surely_over", repair.surely_over(CUBE, repair.Sides(["c0"], ["c1"]), 0.6), {CUBE: COUNTS},
           table("certain bag keyed restricted", "3 6 4 3")),
    Golden("surely_over-one", repair.surely_over(CUBE, repair.Sides([], ["c1"]), 0.5), {CUBE: COUNTS},
           table("certain bag keyed restricted", "0 0 0 0")),
    Golden("people_over", repair.people_over(WIDE, ["i0"], ["unrestricted"], Required(0.5, ["unrestricted"])),
           {WIDE: WIDE_ROWS}, table("i0", "ann", "bob")),
    Golden("beside", repair.beside(ROWS, PEOPLE, ["i0"], ["j0"]),
           {ROWS: table("i0:text j0:int", "ann 1", "bob 1", "cy 2", "di null", "ed null"),
            PEOPLE: table("i0:text", "bob", "ed")}, table("i0", "ann", "bob", "di", "ed")),
    Golden("in_small_crowds", repair.in_small_crowds(exp.select("*").from_("people"), ["name"], 2),
           {PEOPLE: table("name:text size:int", "ann 1", "bob 2")}, table("i0", "ann")),
    Golden("published", repair.published(SOURCE, view(), []), {SOURCE: CELLS},
           table("zip:text age:int", "0712 40", "0712 40", "99 41", "null null")),
    Golden("published-distinct", repair.published(SOURCE, view("age > 39", distinct=True), []), {SOURCE: CELLS},
           table("zip:text age:int", "0712 40", "99 41")),
    Golden("published-excel-safe", repair.published(SOURCE, view(), [], excel_safe=["zip"]),
           {SOURCE: table("age:int zip:text", "1 =1+1", "2 -3")}, table("zip:text age:int", "-3 2", '"\'=1+1" 1')),
    Golden("selected", repair.selected(SOURCE, ["zip", "p"], condition("age > 40"), []), {SOURCE: CELLS},
           table("zip:text p:text", "99 b")),
    Golden("commonest", repair.commonest(SOURCE, "p"), {SOURCE: CELLS}, table("rows most", "4 2")),
    Golden("all_of", repair.all_of([ROWS, PEOPLE], 1),
           {ROWS: table("i0:text", "ann", "bob"), PEOPLE: table("i0:text", "bob")}, table("i0", "ann", "bob")),
    Golden("all_of-one", repair.all_of([ROWS], 1), {ROWS: table("i0:text", "ann")}, table("i0", "ann")),
    Golden("different", repair.different(SOURCE, ["age", "zip"], condition("p = 'a'"), []), {SOURCE: CELLS},
           table("tuples rows", "1 2")),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(repair)


def test_every_query_is_here() -> None:
    assert uncovered(repair, CASES) == []
