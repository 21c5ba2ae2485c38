"""Conditions taken apart: the shape that is left, and the parts as an engine evaluates them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from sqlglot import exp, parse_one

from deniable.engines.dialect import OURS
from deniable.sql import conditions
from deniable.sql.conditions import Formula, holds, met, renamed, separate, truth
from tests.sql.golden import Golden, table, uncovered
from tests.sql.pay import PEOPLE, SOURCE

WHOLE = {"zip", "age", "charge", "pay"}


def tree(sql: str) -> exp.Expr:
    return parse_one(sql, dialect=OURS)


def selected(**trees: exp.Expr) -> exp.Select:
    return exp.select(*(exp.alias_(part, name) for name, part in trees.items())).from_(SOURCE.as_("source"))


@dataclass(frozen=True)
class Taken:
    """A condition, the shape that it has, and what its parts are for everybody in the table."""

    name: str
    condition: str
    formula: Formula
    answer: pa.Table

    def golden(self) -> Golden:
        """All parts as one query."""
        found = separate(tree(self.condition), "pay", WHOLE)
        assert found is not None
        parts: dict[str, Any] = {f"public{i}": part for i, part in enumerate(found.public)}
        parts |= {f"private{i}": part for i, part in enumerate(found.private)}
        parts |= {"compared": found.compared} | {f"threshold{i}": part for i, part in enumerate(found.thresholds)}
        return Golden(f"separate-{self.name}", selected(**parts), {SOURCE: PEOPLE}, self.answer)


TAKEN = [
    Taken(
        "compared",
        "charge > pay AND NOT (zip = 9 OR pay = 3)",
        ("and", ("compare", "<", 0), ("not", ("or", ("public", 0), ("private", 0)))),
        table(
            "public0 private0 compared threshold0",
            "false true 3 5",
            "false false 9 5",
            "false true 3 9",
            "false true 3 null",
            "true null null 9",
        ),
    ),
    Taken(
        "moved",  # a sum: the private term alone on one side
        "charge - pay >= 10 - zip",
        ("compare", "<=", 0),
        table("compared threshold0", "3 -4", "9 -4", "3 1", "3 null", "null 8"),
    ),
    Taken(
        "between",  # both ends, of which one is a sum; what is said twice is one part
        "pay BETWEEN charge AND charge + 5 OR pay > charge",
        ("or", ("and", ("compare", ">=", 0), ("compare", "<=", 1)), ("compare", ">", 0)),
        table("compared threshold0 threshold1", "3 5 10", "9 5 10", "3 9 14", "3 null null", "null 9 14"),
    ),
    Taken(
        "in",
        "pay IN (charge, 3)",
        ("or", ("compare", "=", 0), ("private", 0)),
        table("private0 compared threshold0", "true 3 5", "false 9 5", "true 3 9", "true 3 null", "null null 9"),
    ),
    Taken(
        "null-safe",  # a null equals a null, so no term changes its side
        "charge IS NOT DISTINCT FROM pay",
        ("compare", "is", 0),
        table("compared threshold0", "3 5", "9 5", "3 9", "3 null", "null 9"),
    ),
    Taken(
        "public",
        "zip > 1",
        ("public", 0),
        table("public0 compared", "false 3", "false 9", "true 3", "true 3", "true null"),
    ),
]

CASES = [
    *(taken.golden() for taken in TAKEN),
    Golden(
        "holds",
        selected(holds=holds(tree("pay > 3 OR charge > 5"))),
        {SOURCE: PEOPLE},
        table("holds", "false", "true", "true", "false", "true"),
    ),
    Golden(
        "met",
        met(SOURCE, tree("name > 'd' AND zip = '9'"), ["zip"]),
        {SOURCE: PEOPLE},
        table("met", "true"),
    ),
    Golden(
        "truth",
        selected(truth=truth(tree("pay > 3"))),
        {SOURCE: PEOPLE},
        table("truth", "0", "2", "0", "0", "1"),
    ),
    Golden(
        "renamed",
        selected(renamed=renamed(tree('"a" + "b" > 9'), {"a": "charge", "b": exp.column("pay", "source")})),
        {SOURCE: PEOPLE},
        table("renamed", "false", "true", "true", "null", "null"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_parts(case: Golden) -> None:
    case.check(conditions)


@pytest.mark.parametrize("taken", TAKEN, ids=lambda taken: taken.name)
def test_shapes(taken: Taken) -> None:
    found = separate(tree(taken.condition), "pay", WHOLE)
    assert found is not None
    assert found.formula == taken.formula


@pytest.mark.parametrize(
    "condition",
    [
        "charge * pay > 20",  # on one side together
        "pay > pay * charge",  # on both sides
        "pay > charge OR pay * 2 > charge",  # two orders of the values at once
        "charge LIKE pay",
    ],
)
def test_what_no_order_of_the_values_answers(condition: str) -> None:
    assert separate(tree(condition), "pay", WHOLE) is None


def test_every_part_is_here() -> None:
    assert uncovered(conditions, CASES) == []
    assert {case.name.partition("-")[0] for case in CASES} == {"separate", "holds", "met", "truth", "renamed"}


@pytest.mark.parametrize(("said", "meant"), [("<", ">"), ("<=", ">="), (">", "<"), (">=", "<=")])
def test_a_comparison_seen_from_the_other_side(said: str, meant: str) -> None:
    found = separate(tree(f"charge {said} pay"), "pay", WHOLE)
    assert found is not None
    assert found.formula == ("compare", meant, 0)
