"""SELECT -> View or Secret. Whatever is not one of these is refused with its span.

A view is `SELECT [DISTINCT] columns FROM name [WHERE condition]`: a projection of
the rows that meet a condition on single rows. A secret is the same statement over
the identifier and the private column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import TokenType

from deniable.errors import Mistake
from deniable.places import Path, Places, did_you_mean, underline

DIALECT = "duckdb"


@dataclass(frozen=True)
class View:
    """A projection view: its columns, whether it drops duplicates, which rows it keeps."""

    name: str
    columns: tuple[str, ...]
    distinct: bool
    condition: exp.Expr | None
    sql: str

    def conjuncts(self) -> frozenset[str]:
        """The condition as a set of ANDed parts, so that their order does not matter."""
        if self.condition is None:
            return frozenset()
        parts = self.condition.flatten() if isinstance(self.condition, exp.And) else [self.condition]
        return frozenset(part.sql(DIALECT) for part in parts)

    def condition_columns(self) -> frozenset[str]:
        """The columns that the condition mentions."""
        if self.condition is None:
            return frozenset()
        return frozenset(column.name for column in self.condition.find_all(exp.Column))


@dataclass(frozen=True)
class _Refusal(Exception):
    what: str
    start: int
    end: int


# What a condition on one row may be made of. Functions are refused: some of them
# (random, now) are not conditions on the row at all.
_CONDITION_NODES: tuple[type[exp.Expr], ...] = (
    exp.And, exp.Or, exp.Not, exp.Paren, exp.Column, exp.Identifier, exp.Literal, exp.Boolean,
    exp.Null, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between,
    exp.Like, exp.ILike, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Add, exp.Sub, exp.Mul, exp.Div,
    exp.Mod, exp.Neg,
)  # fmt: skip

_CLAUSES: Mapping[str, tuple[str, TokenType]] = {
    "with_": ("WITH", TokenType.WITH),
    "joins": ("a join", TokenType.JOIN),
    "laterals": ("LATERAL", TokenType.LATERAL),
    "group": ("GROUP BY", TokenType.GROUP_BY),
    "having": ("HAVING", TokenType.HAVING),
    "qualify": ("QUALIFY", TokenType.QUALIFY),
    "windows": ("WINDOW", TokenType.WINDOW),
    "order": ("ORDER BY", TokenType.ORDER_BY),
    "limit": ("LIMIT", TokenType.LIMIT),
    "offset": ("OFFSET", TokenType.OFFSET),
    "sample": ("TABLESAMPLE", TokenType.TABLE_SAMPLE),
}


def parse_view(name: str, sql: str, table: str, columns: Sequence[str], places: Places) -> View | Mistake:
    """Read one view; on trouble, the mistake with the offending part underlined."""
    path: Path = ("views", name)
    return _parse(f"view {name}", name, sql, table, columns, places, path)


def parse_secret(sql: str, table: str, columns: Sequence[str], places: Places) -> View | Mistake:
    """Read the secret query; on trouble, the mistake with the part underlined."""
    return _parse("secret", "secret", sql, table, columns, places, ("secret",))


def _parse(
    what: str,
    name: str,
    sql: str,
    table: str,
    columns: Sequence[str],
    places: Places,
    path: Path,
) -> View | Mistake:
    try:
        return _view(name, sql, table, columns)
    except _Refusal as refusal:
        snippet = underline(sql, refusal.start, refusal.end)
        where = places.within(path, sql, refusal.start)
        return Mistake(where, f"{what}: {refusal.what}", snippet)


def _view(name: str, sql: str, table: str, columns: Sequence[str]) -> View:
    select = _select(sql)
    _refuse_clauses(select, sql)
    alias = _check_from(select, sql, table)
    names = tuple(_column(item, sql, columns, alias) for item in select.expressions)
    for position, column in enumerate(names):
        if column in names[:position]:
            raise _refuse(select.expressions[position], sql, f"column {column} stands here twice")
    where = select.args.get("where")
    condition = _condition(where.this, sql, columns, alias) if where else None
    return View(name, names, select.args.get("distinct") is not None, condition, sql)


def _select(sql: str) -> exp.Select:
    try:
        statements = [tree for tree in sqlglot.parse(sql, read=DIALECT) if tree is not None]
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        marked = str(first.get("highlight") or "")
        start = _offset(sql, int(first.get("line") or 1), int(first.get("col") or 1)) - len(marked)
        start = max(0, min(start, len(sql)))
        raise _Refusal("not a SELECT that can be read", start, start + max(1, len(marked))) from None
    except TokenError:
        raise _Refusal("not a SELECT that can be read (a quote that never ends?)", 0, len(sql)) from None
    if len(statements) != 1:
        what = "expected one SELECT; found " + (f"{len(statements)} statements" if statements else "nothing")
        raise _Refusal(what, 0, len(sql))
    tree = statements[0]
    if not isinstance(tree, exp.Select):
        kind = type(tree).__name__.upper()
        raise _Refusal(f"expected SELECT columns FROM table; found {kind}", 0, len(sql))
    return tree


def _refuse_clauses(select: exp.Select, sql: str) -> None:
    tokens = sqlglot.tokenize(sql, read=DIALECT)
    for key, (words, token_type) in _CLAUSES.items():
        if not select.args.get(key):
            continue
        token = next((t for t in tokens if t.token_type == token_type), None)
        if token is None:  # a join written as a comma
            nodes = select.args[key]
            raise _refuse(nodes[0] if isinstance(nodes, list) else nodes, sql, _only(words))
        raise _Refusal(_only(words), token.start, token.end + 1)
    distinct = select.args.get("distinct")
    if distinct is not None and distinct.args.get("on"):
        raise _refuse(distinct, sql, _only("DISTINCT ON"))
    if not select.expressions:
        raise _Refusal("expected SELECT columns FROM table; found no column", 0, len(sql))


def _only(found: str) -> str:
    return f"expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found {found}"


def _check_from(select: exp.Select, sql: str, table: str) -> str:
    source = select.args.get("from_")
    if source is None:
        raise _Refusal(f"expected FROM {table}; found no FROM", 0, len(sql))
    this = source.this
    if not isinstance(this, exp.Table) or not isinstance(this.this, exp.Identifier):
        raise _refuse(this, sql, f"expected FROM {table}; found {_words(this)}")
    if this.args.get("joins"):
        raise _refuse(this.args["joins"][0], sql, _only("a join"))
    if this.args.get("db") or this.name.lower() != table.lower():
        hint = did_you_mean(this.name, [table])
        raise _refuse(this, sql, f"unknown table; expected {table}; found {this.name}{hint}")
    return str(this.alias_or_name)


def _column(item: exp.Expr, sql: str, columns: Sequence[str], alias: str) -> str:
    if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
        start = sql.find("*")
        raise _Refusal("name the columns to publish; found *", start, start + 1)
    if isinstance(item, exp.Alias):
        raise _refuse(item, sql, f"a published column keeps its name; found {_words(item)}")
    if not isinstance(item, exp.Column):
        raise _refuse(item, sql, f"expected a column; found {_words(item)}")
    return _resolve(item, sql, columns, alias)


def _resolve(column: exp.Column, sql: str, columns: Sequence[str], alias: str) -> str:
    """The table's spelling of a column; unquoted names match whatever their case."""
    name = column.name
    if column.args.get("db") or (column.table and column.table.lower() != alias.lower()):
        raise _refuse(column, sql, f"unknown table {column.table}; expected {alias}")
    if name in columns:
        return name
    alike = [c for c in columns if c.lower() == name.lower()]
    if len(alike) == 1 and not column.this.quoted:
        return alike[0]
    hint = did_you_mean(name, columns)
    raise _refuse(column, sql, f"unknown column {name}{hint}; expected one of {', '.join(columns)}")


def _condition(tree: exp.Expr, sql: str, columns: Sequence[str], alias: str) -> exp.Expr:
    for node in tree.walk():
        if isinstance(node, (exp.Select, exp.Subquery, exp.Exists)):
            raise _refuse(node, sql, "a condition looks at one row; found a subquery")
        if isinstance(node, exp.AggFunc):
            raise _refuse(node, sql, f"a condition looks at one row; found an aggregate, {_words(node)}")
        if not isinstance(node, _CONDITION_NODES):
            raise _refuse(node, sql, f"expected comparisons of columns and constants; found {_words(node)}")

    def resolved(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            return exp.column(_resolve(node, sql, columns, alias), quoted=True)
        return node

    return tree.copy().transform(resolved)


def _words(node: exp.Expr) -> str:
    """The node as SQL, with constants left out: they may be private values."""
    bare = node.copy().transform(lambda n: exp.Placeholder() if isinstance(n, exp.Literal) else n)
    text = " ".join(bare.sql(DIALECT).split())
    return text if len(text) <= 60 else text[:57] + "…"


def _refuse(node: exp.Expr, sql: str, what: str) -> _Refusal:
    spans = [n.meta for n in node.walk() if "start" in n.meta]
    if not spans:
        return _Refusal(what, 0, len(sql))
    start, end = min(s["start"] for s in spans), max(s["end"] for s in spans) + 1
    if isinstance(node, exp.Func) and sql[end : end + 1] == ")":
        end += 1
    return _Refusal(what, start, end)


def _offset(sql: str, line: int, column: int) -> int:
    lines = sql.split("\n")
    return sum(len(row) + 1 for row in lines[: line - 1]) + column
