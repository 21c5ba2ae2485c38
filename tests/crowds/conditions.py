"""Random conditions in two languages at once: as SQL text, and as a Python function in SQL's three-valued logic."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Row = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """The same thing in SQL and in Python; None is unknown, or null."""

    sql: str
    of: Callable[[Row], Any]


def _strict(function: Callable[[Any, Any], Any], left: Said, right: Said) -> Callable[[Row], Any]:
    def evaluate(row: Row) -> Any:
        x, y = left.of(row), right.of(row)
        return None if x is None or y is None else function(x, y)

    return evaluate


def column(name: str) -> Said:
    return Said(name, lambda row: row[name])


def constant(value: int) -> Said:
    return Said(str(value), lambda row: value)


NUMBERS = st.integers(0, 3).map(constant)
COLUMNS = st.sampled_from(["a", "b", "p"]).map(column)
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}
COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip


@st.composite
def terms(draw: st.DrawFn) -> Said:
    kind = draw(st.sampled_from(["column", "column", "column", "constant", "arithmetic"]))
    if kind == "column":
        return draw(COLUMNS)
    if kind == "constant":
        return draw(NUMBERS)
    left, right = draw(COLUMNS), draw(st.one_of(COLUMNS, NUMBERS))
    sign = draw(st.sampled_from(sorted(ARITHMETIC)))
    return Said(f"({left.sql} {sign} {right.sql})", _strict(ARITHMETIC[sign], left, right))


def _not(said: Said) -> Said:
    def evaluate(row: Row) -> Any:
        truth = said.of(row)
        return None if truth is None else not truth

    return Said(f"NOT ({said.sql})", evaluate)


def _and(left: Said, right: Said) -> Said:
    def evaluate(row: Row) -> Any:
        truths = (left.of(row), right.of(row))
        return False if False in truths else None if None in truths else True

    return Said(f"({left.sql} AND {right.sql})", evaluate)


def _or(left: Said, right: Said) -> Said:
    def evaluate(row: Row) -> Any:
        truths = (left.of(row), right.of(row))
        return True if True in truths else None if None in truths else False

    return Said(f"({left.sql} OR {right.sql})", evaluate)


@st.composite
def comparisons(draw: st.DrawFn) -> Said:
    sign = draw(st.sampled_from(sorted(COMPARISONS)))
    left, right = draw(terms()), draw(terms())
    return Said(f"{left.sql} {sign} {right.sql}", _strict(COMPARISONS[sign], left, right))


@st.composite
def atoms(draw: st.DrawFn) -> Said:
    kind = draw(st.sampled_from(["compare", "compare", "compare", "in", "between", "null", "same", "like"]))
    left = draw(terms())
    if kind == "compare":
        return draw(comparisons())
    if kind == "null":
        return Said(f"{left.sql} IS NULL", lambda row: left.of(row) is None)
    if kind == "same":
        right = draw(terms())
        return Said(f"{left.sql} IS NOT DISTINCT FROM {right.sql}", lambda row: left.of(row) == right.of(row))
    if kind == "between":
        low, high = draw(terms()), draw(terms())
        both = _and(
            Said("", _strict(operator.ge, left, low)),
            Said("", _strict(operator.le, left, high)),
        )
        return Said(f"{left.sql} BETWEEN {low.sql} AND {high.sql}", both.of)
    if kind == "like":
        letter = draw(st.sampled_from(["x", "y"]))
        return Said(f"c LIKE '{letter}%'", lambda row: None if row["c"] is None else row["c"].startswith(letter))
    items = draw(st.lists(terms(), min_size=1, max_size=3))
    whole = Said("", _strict(operator.eq, left, items[0]))
    for item in items[1:]:
        whole = _or(whole, Said("", _strict(operator.eq, left, item)))
    return Said(f"{left.sql} IN ({', '.join(item.sql for item in items)})", whole.of)


def conditions() -> st.SearchStrategy[Said]:
    return st.recursive(
        atoms(),
        lambda inner: st.one_of(inner.map(_not), st.builds(_and, inner, inner), st.builds(_or, inner, inner)),
        max_leaves=3,
    )
