"""What databases differ in, said once: the types of columns, equality in which a null equals a null, casts that may
fail, and whether a statement can be read at all.

Our queries are trees in the words of one dialect, `OURS`, in which users' views are read too; an engine turns a tree
into its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from sqlglot import exp

from deniable.frozen import frozen

OURS = "duckdb"
_PLACES = ("line", "col", "start", "end")


class Kind(Enum):
    """What a column holds, as far as an analysis must know."""

    TEXT = "text"
    INTEGER = "integer"  # whole numbers of at most 64 bits
    WIDE = "wide integer"  # whole numbers that need more, or have no sign
    NUMBER = "number"  # with a point or an exponent
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIME = "time"
    BOOLEAN = "boolean"
    OTHER = "other"


_KINDS = {
    Kind.INTEGER: ("TINYINT", "SMALLINT", "INTEGER", "BIGINT"),
    Kind.WIDE: ("HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
    Kind.NUMBER: ("FLOAT", "DOUBLE", "DECIMAL"),
    Kind.TIMESTAMP: ("TIMESTAMP",),
    Kind.DATE: ("DATE",),
    Kind.TIME: ("TIME",),
    Kind.BOOLEAN: ("BOOLEAN",),
}


@frozen
class ColumnType:
    """The type of a column: its kind, and how `OURS` writes it, for casts back to it and for messages."""

    kind: Kind
    sql: str

    @property
    def is_text(self) -> bool:
        """Whether it is text as it is."""
        return self.kind is Kind.TEXT

    @property
    def is_number(self) -> bool:
        """Whether it has a size."""
        return self.kind in (Kind.INTEGER, Kind.WIDE, Kind.NUMBER)

    @property
    def is_date(self) -> bool:
        """Whether it is a time of some kind."""
        return self.kind in (Kind.DATE, Kind.TIMESTAMP, Kind.TIME)

    def __str__(self) -> str:
        before, listed, _ = self.sql.lower().partition("enum(")  # whose name lists every value: a frame's categories
        return f"{before}enum" if listed else before


TEXT = ColumnType(Kind.TEXT, "VARCHAR")
DOUBLE = ColumnType(Kind.NUMBER, "DOUBLE")


def column_type(sql: str) -> ColumnType:
    """A type by its name in `OURS`, as an engine reports it."""
    if sql == TEXT.sql:
        return TEXT
    if sql.endswith("]"):  # a list of any of the others
        return ColumnType(Kind.OTHER, sql)
    kinds = (kind for kind, names in _KINDS.items() if sql.startswith(names))
    return ColumnType(next(kinds, Kind.OTHER), sql)


def fragment(text: str) -> exp.Expr:
    """A piece of a query that we write ourselves, as a tree of the caller's own."""
    return _fragment(text).copy()


@lru_cache(maxsize=2_000)
def _fragment(text: str) -> exp.Expr:
    """Parsed once, and without the places of its words and lists of no comments: nobody asks for them, and whoever
    builds on a tree copies it several times, in which they take most of the time."""
    tree = exp.maybe_parse(text, into=exp.Expr, dialect=OURS)
    for node in tree.walk():
        node.comments = node.comments or None
        if node._meta is not None:
            node._meta = {key: told for key, told in node._meta.items() if key not in _PLACES} or None
    return tree


def same(names: Sequence[str], left: str, right: str) -> exp.Expr:
    """Equality of columns in which a null equals a null."""
    pairs = (exp.NullSafeEQ(this=exp.column(n, left), expression=exp.column(n, right)) for n in names)
    return exp.and_(*pairs)


def as_text(tree: exp.Expr) -> exp.Expr:
    """A tree's value as text."""
    return exp.cast(tree, TEXT.sql)


def try_cast(tree: exp.Expr, to: ColumnType) -> exp.Expr:
    """A tree's value in a type; null where it has no place there."""
    return exp.TryCast(this=tree, to=exp.DataType.build(to.sql, dialect=OURS))


def first_by(cell: str, order: str) -> exp.Expr:
    """Of some rows, the cell of the one that comes first in an order."""
    return exp.ArgMin(this=exp.column(cell), expression=exp.column(order))


def is_statement(sql: str) -> bool:
    """Whether a database reads it as one statement, which the word of a lenient parser is no proof of."""
    import duckdb

    try:
        return len(duckdb.extract_statements(sql)) == 1
    except duckdb.Error:
        return False
