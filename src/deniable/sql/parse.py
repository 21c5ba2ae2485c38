"""SELECT -> View or Secret. Whatever is not one of these is refused with its span.

A view is `SELECT [DISTINCT] columns FROM name [WHERE condition]`: a projection of
the rows that meet a condition on single rows. A secret is the same statement over
the identifier and the private column. The parser reads far more than that, so the
tree is held against what is allowed, never against a list of what is not; the
tokens only tell where the rest stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from deniable.engines.dialect import OURS
from deniable.errors import Mistake
from deniable.frozen import frozen
from deniable.spec.locations import Locations, Path
from deniable.sql.masking import Known, masked, unmasked
from deniable.sql.statement import Part, Refusal, Statement
from deniable.sql.writing import is_plain
from deniable.words import did_you_mean, one_of, underline


@frozen
class View:
    """A projection view: its columns, whether it drops duplicates, which rows it keeps."""

    name: str
    columns: tuple[str, ...]
    distinct: bool
    condition: exp.Expr | None = field(repr=False)  # constants may be cells
    sql: str = field(repr=False)
    shown: str = ""  # what messages may show of the statement, place by place

    def parts(self) -> tuple[exp.Expr, ...]:
        """What the condition ANDs."""
        if self.condition is None:
            return ()
        return tuple(self.condition.flatten()) if isinstance(self.condition, exp.And) else (self.condition,)

    def conjuncts(self) -> frozenset[str]:
        """The condition as a set of ANDed parts, so that their order does not matter."""
        return frozenset(part.sql(OURS) for part in self.parts())

    def condition_columns(self) -> frozenset[str]:
        """The columns that the condition mentions."""
        return frozenset() if self.condition is None else columns_of(self.condition)

    def mentions(self, column: str) -> bool:
        """Whether the view shows a column, or chooses rows by it."""
        return column in self.columns or column in self.condition_columns()


def columns_of(tree: exp.Expr) -> frozenset[str]:
    """The columns that a condition, or a part of it, mentions."""
    return frozenset(column.name for column in tree.find_all(exp.Column))


# What a condition on one row may be made of. Functions are refused: some of them
# (random, now) are not conditions on the row at all.
_CONDITION_NODES: tuple[type[exp.Expr], ...] = (
    exp.And, exp.Or, exp.Not, exp.Paren, exp.Column, exp.Identifier, exp.Literal, exp.Boolean,
    exp.Null, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between,
    exp.Like, exp.ILike, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Add, exp.Sub, exp.Mul, exp.Div,
    exp.Mod, exp.Neg,
)  # fmt: skip

_SELECT_PARTS = {"expressions", "distinct", "from_", "where"}
_TABLE_PARTS = {"this", "alias", "db", "catalog"}

# Where the other parts of a SELECT or a table start, to point at them.
_CLAUSES: Mapping[str, tuple[TokenType, ...]] = {
    "into": (TokenType.INTO,),
    "joins": (
        TokenType.COMMA, TokenType.JOIN, TokenType.LEFT, TokenType.RIGHT, TokenType.FULL, TokenType.INNER,
        TokenType.CROSS, TokenType.NATURAL, TokenType.SEMI, TokenType.ANTI, TokenType.ASOF,
    ),
    "group": (TokenType.GROUP_BY,),
    "having": (TokenType.HAVING,),
    "qualify": (TokenType.QUALIFY,),
    "windows": (TokenType.WINDOW,),
    "order": (TokenType.ORDER_BY,),
    "limit": (TokenType.LIMIT, TokenType.FETCH),
    "offset": (TokenType.OFFSET,),
    "sample": (TokenType.TABLE_SAMPLE, TokenType.USING),
    "pivots": (TokenType.PIVOT, TokenType.UNPIVOT),
    "locks": (TokenType.FOR,),
}  # fmt: skip
_CONSTANTS = (exp.Literal, exp.RawString, exp.ByteString, exp.HexString, exp.BitString, exp.UnicodeString)
_SETS = (TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT)


def parse_view(
    name: str,
    sql: str,
    table: str,
    columns: Sequence[str] | None,
    locations: Locations,
    private: str = "",
    functions: Sequence[str] = (),
) -> View | list[Mistake]:
    """Read one view; on trouble, every mistake with its part underlined.

    Without `columns` (the table cannot be read) names are taken as they are. What stands beside the private column, or
    a function of it, is not shown.
    """
    return _parse(
        f"view {name}",
        name,
        sql,
        table,
        columns,
        locations,
        ("views", name),
        Known(columns or (), private, table, functions),
    )


def parse_secret(
    sql: str,
    table: str,
    columns: Sequence[str] | None,
    locations: Locations,
    private: str = "",
    functions: Sequence[str] = (),
) -> View | list[Mistake]:
    """Read the secret query; on trouble, every mistake with its part underlined."""
    return _parse(
        "secret", "secret", sql, table, columns, locations, ("secret",), Known(columns or (), private, table, functions)
    )


def _parse(
    what: str, name: str, sql: str, table: str, columns: Sequence[str] | None, locations: Locations, path: Path,
    known: Known,
) -> View | list[Mistake]:  # fmt: skip
    wrong: list[Refusal] = []
    statement: Statement | None = None
    try:
        statement = Statement(sql, known)
        view = _Reader(statement, table, columns, wrong).view(name)
    except Refusal as refusal:
        wrong.append(refusal)
    if not wrong:
        return view
    shown = statement.shown if statement else masked(sql, known)
    return [
        Mistake(
            locations.within(path, sql, refusal.part[0]),
            f"{what}: {refusal.what}{_to_quote(sql, refusal.part, columns or ())}",
            underline(shown, *refusal.part),
        )
        for refusal in sorted(wrong, key=lambda refusal: refusal.part)
    ]


def _to_quote(sql: str, part: Part, columns: Sequence[str]) -> str:
    """That a column is to be quoted, where a part that is refused is one whose name no bare word is."""
    for name in sorted(filter(str.split, columns), key=len, reverse=True):
        spelt = r"\s+".join(re.escape(word) for word in name.split())
        for found in re.finditer(rf'(?<![\w"]){spelt}(?![\w"])', sql, re.IGNORECASE):
            touches = found.start() < part[1] and part[0] < found.end()
            if touches and not is_plain(name):
                return f'; a column of this name is written "{name}"'
    return ""


@frozen
class _Reader:
    """Reads one statement; what is wrong but leaves the rest readable is collected."""

    statement: Statement
    table: str
    columns: Sequence[str] | None
    wrong: list[Refusal]

    def view(self, name: str) -> View:
        """The statement as a view."""
        select = self._select()
        source = self._from(select)
        for tree, allowed in ((select, _SELECT_PARTS), (source, _TABLE_PARTS)):
            for key, value in tree.args.items():
                if value and key not in allowed:
                    self._refuse_clause(key)
        distinct = select.args.get("distinct")
        if distinct is not None and distinct.args.get("on"):
            raise Refusal(_only("DISTINCT ON"), self.statement.part(1, 2))
        alias = str(source.alias_or_name)
        columns = self._columns(select, alias)
        where = select.args.get("where")
        condition = self._condition(where.this.copy(), alias) if where else None
        self._refuse_rest(source)
        return View(name, columns, distinct is not None, condition, self.statement.sql, self.statement.shown)

    def _select(self) -> exp.Select:
        said, tokens = self.statement, self.statement.tokens
        if not tokens:
            raise Refusal("expected SELECT columns FROM table; found nothing", said.whole)
        if tokens[0].token_type != TokenType.SELECT:
            raise Refusal(f"expected SELECT; found {said.word(0)}", said.part(0))
        end = said.find([TokenType.SEMICOLON])
        if end is not None:
            raise Refusal(f"expected one statement; found another, {said.word(end + 1)}", said.part(end + 1, -1))
        try:
            tree = sqlglot.parse_one(said.sql, read=OURS)
        except ParseError as error:
            first = error.errors[0] if error.errors else {}
            token = said.at(int(first.get("line") or 1), int(first.get("col") or 1))
            short = token == len(tokens) - 1 and "Unexpected token" not in str(first.get("description"))
            raise Refusal(_only(f"{'the end after ' if short else ''}{said.word(token)}"), said.part(token)) from None
        except (TypeError, ValueError, RecursionError):  # the parser's own failures, on statements no database reads
            raise Refusal(_only("something else"), said.whole) from None
        if not isinstance(tree, exp.Select):
            token = said.find(_SETS) or 0
            raise Refusal(_only(said.word(token)), said.part(token))
        return tree

    def _from(self, select: exp.Select) -> exp.Table:
        source = select.args.get("from_")
        if source is None:
            raise Refusal(f"expected FROM {self.table}; found no FROM", self.statement.whole)
        this = source.this
        if not isinstance(this, exp.Table) or not isinstance(this.this, exp.Identifier):
            raise Refusal(f"expected FROM {self.table}; found {self._words(this)}", self.statement.place(this))
        alias = this.args.get("alias")
        if alias is not None and (alias.args.get("columns") or not isinstance(alias.this, exp.Identifier)):
            raise Refusal(f"a published column keeps its name; found {self._words(alias)}", self.statement.place(alias))
        if this.args.get("db") or this.name.lower() != self.table.lower():
            found = ".".join(part.name for part in this.parts)
            hint = did_you_mean(found, [self.table])
            wanted = exp.to_identifier(self.table).sql(OURS)  # in quotes where a bare name would not do
            part = self.statement.place(this.parts[0])[0], self.statement.place(this.parts[-1])[1]
            is_shown = not self.statement.hides(part) or (hint and len(this.parts) == 1)
            found = found if is_shown else "(text stands in single quotes)"
            self.wrong.append(Refusal(f"unknown table {found}{hint}; expected {wanted}", part))
        return this

    def _refuse_clause(self, key: str) -> None:
        said = self.statement
        after = 0 if key == "into" else said.find([TokenType.FROM]) or 0
        token = said.find(_CLAUSES.get(key, ()), after)
        found = "a join" if key == "joins" else key.upper() if token is None else said.word(token)
        self.wrong.append(Refusal(_only(found), said.whole if token is None else said.part(token)))

    def _refuse_rest(self, source: exp.Table) -> None:
        """The parser skips what it has no use for; a statement with more in it than we have read is no view."""
        said = self.statement
        if self.wrong:
            return
        rest = said.rest(source)
        if rest is not None:
            raise Refusal(_only(said.word(rest)), said.part(rest))
        start = said.find([TokenType.WHERE])
        if (start is not None or source.alias) and not said.is_readable():
            raise Refusal("expected a statement that a database reads; found another", said.part(start or 0, -1))

    def _columns(self, select: exp.Select, alias: str) -> tuple[str, ...]:
        parts = self.statement.columns()
        names: list[str] = []
        for place, item in enumerate(select.expressions):
            first, last = parts[place] if len(parts) == len(select.expressions) else (0, -1)
            part = self.statement.part(first, last)
            if item.is_star:
                self.wrong.append(Refusal("expected the columns by name; found *", part))
            elif isinstance(item, exp.Alias):
                self.wrong.append(Refusal(f"a published column keeps its name; found {self._words(item, part)}", part))
            elif not isinstance(item, exp.Column) or last - first not in (0, 2, 4):
                self.wrong.append(Refusal(f"expected a column; found {self._words(item, part)}", part))
            else:
                name = self._resolve(item, alias, part)
                if name in names:
                    self.wrong.append(Refusal(f"expected {name} once; found it twice", part))
                names.append(name)
        return tuple(names)

    def _resolve(self, column: exp.Column, alias: str, part: Part | None = None) -> str:
        """The table's spelling of a column, of which `part` says where it is listed, if it is.

        Unquoted names match whatever their case.
        """
        name, known = column.name, self.statement.known
        if column.args.get("db") or (column.table and column.table.lower() != alias.lower()):
            named = part or (known.has(name) and not self._is_beside_private(column))
            hidden = known.is_swallowed(column.table) or known.is_glued(column.table)
            hidden = hidden or (part is not None and self.statement.hides(part))
            found = f" {column.table}" if named and not hidden else " (text stands in single quotes)"
            what = f"unknown table{found}; expected {alias}"
            self.wrong.append(Refusal(what, part or self.statement.place(column)))
            return name
        if self.columns is None or name in self.columns:
            return name
        alike = [c for c in self.columns if c.lower() == name.lower()]
        if len(alike) == 1 and not column.this.quoted:
            return alike[0]
        beside = part is None and (self._is_beside_private(column) or known.is_glued(name))
        hint = "" if beside else did_you_mean(name, self.columns)
        is_shown = (part and not self.statement.hides(part)) or (hint and known.is_like(name))
        found = f" {name}" if is_shown else " (text stands in single quotes)"
        asked = name if is_shown else ""  # what is not shown is not to be guessed from what is near it
        what = f"unknown column{found}{hint}; expected {one_of(self.columns, asked)}"
        self.wrong.append(Refusal(what, part or self.statement.place(column)))
        return name

    def _condition(self, tree: exp.Expr, alias: str) -> exp.Expr:
        """The condition, with its columns spelt as the table spells them."""
        inside = (exp.Column, exp.Identifier, exp.Literal)
        for node in tree.walk(prune=lambda node: isinstance(node, inside) or not isinstance(node, _CONDITION_NODES)):
            if isinstance(node, (exp.Select, exp.Subquery, exp.Exists)):
                self._refuse(node, "a condition looks at one row; found a subquery")
            elif isinstance(node, exp.AggFunc):
                self._refuse(node, f"a condition looks at one row; found an aggregate, {self._words(node)}")
            elif not isinstance(node, _CONDITION_NODES):
                self._refuse(node, f"expected comparisons of columns and constants; found {self._words(node)}")
            elif isinstance(node, exp.Column):
                name = self._resolve(node, alias)
                node.set("this", exp.to_identifier(name, quoted=True))
                node.set("table", None)
        return tree

    def _refuse(self, node: exp.Expr, what: str) -> None:
        self.wrong.append(Refusal(what, self.statement.place(node)))

    def _words(self, node: exp.Expr, part: Part | None = None) -> str:
        """The node as SQL, without constants and unknown names, which may be private values, unless all of the part of
        the statement where it stands is shown."""

        def bare(part: exp.Expr) -> exp.Expr:
            return exp.Placeholder() if isinstance(part, _CONSTANTS) else part

        text = " ".join(node.copy().transform(bare).sql(OURS, comments=False).split())
        if part is None or self.statement.hides(part):
            text = unmasked(text, self.statement.known)
        return text if len(text) <= 60 else text[:57] + "…"

    def _is_beside_private(self, column: exp.Column) -> bool:
        """Whether the private column is in the same comparison."""
        compared: exp.Expr = column
        while compared.parent is not None and not isinstance(compared.parent, (exp.And, exp.Or, exp.Where)):
            compared = compared.parent
        known = self.statement.known
        return any(other is not column and known.is_private(other.name) for other in compared.find_all(exp.Column))


def _only(found: str) -> str:
    return f"expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found {found}"
