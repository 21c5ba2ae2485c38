"""Which types a cell of a query can have, as far as casts differ: text, doubles, decimals and all others.

What is not known may be any of them; then the query itself asks, since Spark knows before it runs anything. That takes
long, for each cast, and most are of columns whose types we know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sqlglot import exp

TEXT, DOUBLE, DECIMAL, OTHER = "text", "double", "decimal", "other"
Types = frozenset[str]
ANY: Types = frozenset({TEXT, DOUBLE, DECIMAL, OTHER})
_TEXTS = (exp.Concat, exp.DPipe, exp.Left, exp.Trim, exp.TimeToStr, exp.RegexpReplace, exp.GroupConcat)
_OTHERS = (
    exp.Boolean, exp.Null, exp.Not, exp.And, exp.Or, exp.Predicate, exp.Count, exp.RowNumber, exp.DenseRank,
    exp.Length, exp.Extract, exp.LogicalAnd, exp.LogicalOr, exp.Interval, exp.BitwiseLeftShift, exp.BitwiseOrAgg,
    exp.Anonymous, exp.StartsWith, exp.Contains, exp.RegexpLike, exp.RegexpFullMatch, exp.TimestampTrunc,
)  # fmt: skip
_OF_THIS = (
    exp.Alias, exp.Paren, exp.Neg, exp.Min, exp.Max, exp.Sum, exp.FirstValue, exp.Filter, exp.ArgMin, exp.First,
    exp.Order, exp.Window, exp.Round, exp.Distinct, exp.Explode,
)  # fmt: skip
_OF_SIDES = (exp.Add, exp.Sub, exp.Mul, exp.Mod)
_OF_ALL = (exp.Coalesce, exp.Greatest, exp.Least, exp.Array)


def type_named(name: str) -> str:
    """What a type is to us, as Spark calls it (`decimal(38,2)`) or as we do."""
    name = name.lower()
    if name.startswith(("string", "varchar", "char", "text")):
        return TEXT
    if name.startswith(("double", "float", "real")):
        return DOUBLE
    return DECIMAL if name.startswith(("decimal", "hugeint", "uhugeint", "ubigint", "int128")) else OTHER


class Inference:
    """The types of the cells of one query; `columns` has those of the relations that it may read, by name."""

    def __init__(self, query: exp.Expr, columns: Callable[[str], Mapping[str, str] | None]) -> None:
        self._named: dict[str, list[exp.Expr]] = {}
        self._given: dict[str, set[str]] = {}
        self._known: dict[str, Types] = {}
        for alias in query.find_all(exp.Alias):
            self._named.setdefault(alias.alias.lower(), []).append(alias.this)
        for union in query.find_all(exp.SetOperation):
            for name, cell in _beside(union):
                self._named.setdefault(name, []).append(cell)
        for table in query.find_all(exp.Table):
            for name, kind in (columns(table.name) or {}).items():
                self._given.setdefault(name.lower(), set()).add(type_named(kind))

    def of(self, cell: object) -> Types:  # noqa: PLR0911
        """What a cell can be."""
        if isinstance(cell, exp.Column):
            return self._of_column(cell.name.lower())
        if isinstance(cell, (exp.Cast, exp.TryCast)):
            return frozenset({type_named(cell.args["to"].sql("duckdb"))})
        if isinstance(cell, exp.Literal):
            whole = OTHER if cell.is_string or cell.is_int else ""
            return frozenset({TEXT}) if cell.is_string else frozenset({whole} if whole else {DOUBLE, DECIMAL})
        if isinstance(cell, _TEXTS):
            return frozenset({TEXT})
        if isinstance(cell, _OF_THIS):
            return self.of(cell.this)
        if isinstance(cell, _OTHERS):
            return frozenset({OTHER})
        if isinstance(cell, (exp.Div, exp.Ln, exp.Pow)):
            return frozenset({DOUBLE, DECIMAL})
        if isinstance(cell, exp.Floor):
            return frozenset({OTHER, DECIMAL})
        parts = list(_parts(cell))
        return frozenset().union(*map(self.of, parts)) if parts else ANY

    def _of_column(self, name: str) -> Types:
        if name not in self._known:
            self._known[name] = frozenset()  # of a name that is defined by itself
            found = set(self._given.get(name, ()))
            for cell in self._named.get(name, ()):
                if not (isinstance(cell, exp.Column) and cell.name.lower() == name):
                    found |= self.of(cell)
            self._known[name] = frozenset(found) or ANY
        return self._known[name]


def _parts(cell: object) -> Iterator[exp.Expr]:
    """Cells, of which another one is."""
    if isinstance(cell, _OF_SIDES):
        yield from (cell.this, cell.expression)
    elif isinstance(cell, _OF_ALL):
        yield from (one for one in (cell.this, *cell.expressions) if isinstance(one, exp.Expr))
    elif isinstance(cell, (exp.Case, exp.If)):
        branches = cell.args.get("ifs") or [cell]
        yield from (one.args["true"] for one in branches)
        rest = cell.args.get("default") or cell.args.get("false")
        if rest is not None:
            yield rest
    elif isinstance(cell, exp.Subquery) and cell.selects:
        yield cell.selects[0].unalias()


def _beside(union: exp.SetOperation) -> Iterator[tuple[str, exp.Expr]]:
    """What stands below a column of a union: it has the name that it has above."""
    for name, cell in zip(union.named_selects, union.right.selects, strict=False):
        yield name.lower(), cell.unalias()
