"""Which combinations of the functions of a column are those of one value: looked up among values that stand for all.

x is a value of the column as text, or where a band begins; z* are the functions, as `any_views` numbers them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import ColumnType, Kind, as_text, try_cast
from deniable.engines.scope import Relation
from deniable.sql import build
from deniable.sql.build import column
from deniable.sql.parse import columns_of

# Truth does not change between the constants of these.
_COMPARISONS = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.NullSafeEQ, exp.NullSafeNEQ,
)  # fmt: skip
_CONSTANTS = (exp.Literal, exp.Neg, exp.Null, exp.Boolean, exp.Paren, exp.Identifier, exp.Column)


def constants(condition: exp.Expr, name: str, shown: Sequence[str]) -> list[str] | None:
    """What a condition compares a column with; None if it does more with it than compare.

    What it says of functions that are shown holds for all values that have them.
    """
    found: list[str] = []
    for leaf in _leaves(condition):
        if columns_of(leaf) <= set(shown):
            continue
        plain = isinstance(leaf, _COMPARISONS) and all(isinstance(node, _CONSTANTS) for node in _sides(leaf))
        if not plain or columns_of(leaf) != {name}:
            return None
        found += [_signed(literal) for literal in leaf.find_all(exp.Literal)]
    return found


def _leaves(condition: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(condition, (exp.And, exp.Or)):
        for part in condition.flatten():
            yield from _leaves(part)
    elif isinstance(condition, (exp.Not, exp.Paren)):
        yield from _leaves(condition.this)
    else:
        yield condition


def _sides(leaf: exp.Expr) -> Iterator[exp.Expr]:
    for node in leaf.walk():
        if node is not leaf:
            yield node


def _signed(literal: exp.Expr) -> str:
    return f"-{literal.name}" if isinstance(literal.parent, exp.Neg) else str(literal.name)


def starts(source: Relation, tree: exp.Expr) -> exp.Select:
    """Where the bands begin that the table's values are in."""
    query = exp.select(exp.alias_(as_text(tree), "x")).distinct().from_(source.as_("source"))
    return query.where(exp.Not(this=exp.Is(this=tree.copy(), expression=exp.Null())))


def part_start(cell: exp.Expr, name: str) -> exp.Expr:
    """When a part of a date begins."""
    return exp.TimestampTrunc(this=exp.cast(cell, "TIMESTAMP"), unit=exp.var(name.upper()))


def labels(levels: Relation) -> exp.Select:
    """The finest labels of a hierarchy."""
    return exp.select(exp.alias_(exp.column("t0"), "x")).distinct().from_(levels.as_("levels"))


def values(texts: Relation, name: str, kind: ColumnType) -> exp.Select:
    """Texts that are values of a column, as these, and of a time the next one too."""
    cell = try_cast(exp.column("x"), kind)
    query = exp.select(exp.alias_(cell, name, quoted=True)).from_(texts.as_("texts"))
    query = query.where(exp.Not(this=exp.Is(this=cell.copy(), expression=exp.Null())))
    if kind.kind not in (Kind.DATE, Kind.TIMESTAMP):
        return query
    unit = "DAY" if kind.kind is Kind.DATE else "MICROSECOND"
    step = exp.Interval(this=exp.Literal.string("1"), unit=exp.var(unit))
    later = try_cast(exp.paren(exp.Add(this=cell.copy(), expression=step)), kind)
    both = exp.union(query, query.select(exp.alias_(later, name, quoted=True), append=False), distinct=True)
    return exp.select(column(name)).from_(both.subquery("given"))


def combinations(
    source: Relation, names: Mapping[str, str], condition: exp.Expr | None, text: Sequence[str] = ()
) -> exp.Select:
    """The functions of the values that meet a condition, under our names; columns in `text` are compared as text."""
    chosen = (exp.alias_(column(name), z) for name, z in names.items())
    query = exp.select(*chosen).distinct().from_(source.as_("source"))
    return query if condition is None else query.where(build.as_text(condition, text))


def whole(source: Relation, functions: Sequence[str]) -> exp.Select:
    """Values that have a place in all of some functions."""
    lost = [exp.Is(this=column(function), expression=exp.Null()) for function in functions]
    return exp.select("*").from_(source.as_("source")).where(*(exp.Not(this=one) for one in lost))


def together(parts: Sequence[exp.Query]) -> exp.Query:
    """The rows of all parts, each once."""
    return parts[0] if len(parts) == 1 else exp.union(*parts, distinct=True)
