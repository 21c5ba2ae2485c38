"""The words that our queries are made of, all of them: what an engine must know how to say, and nothing more.

Each engine says most of them as sqlglot does, and rewrites the others in a dialect file of its own. What a word means
where databases differ:

NullSafeEQ in ON     a null matches a null; rows are matched by it in joins of millions
TryCast              null where the cell, as text, is not written as the type is
Cast … AS TEXT       one spelling of a number, `1.0` and `1e+20`; text is ordered by its bytes
Literal              a number with a point stands in a cast, or in what a user wrote
RowNumber            without ORDER BY any numbering, but the same one however often it is computed
Ordered              says where nulls are
Join ANTI            rows beside which there is none
ArgMin, First        the cell of the row that is first in an order
Pow                  0 where it is too small
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

_QUERIES = (
    exp.Select, exp.Union, exp.Subquery, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered,
    exp.Limit, exp.Distinct, exp.Table, exp.TableAlias, exp.Alias, exp.Identifier, exp.Column, exp.Star,
)  # fmt: skip
_CELLS = (
    exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.And,
    exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Like,
    exp.ILike, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Case, exp.If, exp.Coalesce, exp.Cast, exp.TryCast, exp.DataType,
    exp.DataTypeParam, exp.Array, exp.Explode, exp.BitwiseLeftShift, exp.Interval, exp.Var,
)  # fmt: skip
_FUNCTIONS = (
    exp.Concat, exp.Contains, exp.DPipe, exp.Extract, exp.Floor, exp.Greatest, exp.Least, exp.Left, exp.Length, exp.Ln,
    exp.Pow, exp.RegexpFullMatch, exp.RegexpLike, exp.RegexpReplace, exp.Round, exp.StartsWith, exp.TimeToStr,
    exp.TimestampTrunc,
    exp.Trim,
)  # fmt: skip
_AGGREGATES = (
    exp.Count, exp.Sum, exp.Min, exp.Max, exp.LogicalAnd, exp.LogicalOr, exp.BitwiseOrAgg, exp.GroupConcat, exp.ArgMin,
    exp.First, exp.Filter,
)  # fmt: skip
_WINDOWS = (exp.Window, exp.WindowSpec, exp.RowNumber, exp.DenseRank, exp.FirstValue)
NODES = frozenset((*_QUERIES, *_CELLS, *_FUNCTIONS, *_AGGREGATES, *_WINDOWS))
CALLED = frozenset({"bit_count"})  # functions that the parser has no node for
JOINS = frozenset({"", "LEFT", "FULL", "CROSS", "ANTI"})
TYPES = frozenset(
    {"TEXT", "INT", "BIGINT", "INT128", "DOUBLE", "DECIMAL", "DATE", "TIMESTAMP", "TIMESTAMPNTZ", "BOOLEAN"}
)


def strangers(tree: exp.Expr) -> Iterator[str]:
    """What a tree has that is none of these."""
    for node in tree.walk():
        if isinstance(node, exp.Anonymous):
            if node.name.lower() not in CALLED:
                yield node.name
        elif type(node) not in NODES:
            yield type(node).__name__
        elif isinstance(node, exp.Join) and node.side + node.kind not in JOINS:
            yield f"{node.side + node.kind} JOIN"
        elif isinstance(node, exp.Star) and node.args.get("except_"):
            yield "* EXCLUDE"
        elif isinstance(node, exp.DataType) and node.this.name not in TYPES and node.this.name != "VARCHAR":
            yield node.sql("duckdb")
        elif isinstance(node, exp.Literal) and not node.is_string and not node.is_int and not _is_cast(node):
            yield node.name


def words(tree: exp.Expr) -> Iterator[str]:
    """The words that a tree is made of; casts and joins with what they are of."""
    for node in tree.walk():
        kind = type(node).__name__
        if isinstance(node, (exp.Cast, exp.TryCast)):
            yield f"{kind} {node.args['to'].this.name}"
        elif isinstance(node, exp.Join):
            yield f"{node.side}{node.kind} JOIN"
        else:
            yield node.name.lower() if isinstance(node, exp.Anonymous) else kind


def _is_cast(node: exp.Expr) -> bool:
    """Whether a number has a type; or is held against a column of the user's, whose type decides."""
    inside = node.find_ancestor(exp.Cast, exp.GTE, exp.EQ, exp.Between)
    return inside is not None
