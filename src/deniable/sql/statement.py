"""A statement as tokens: where its parts stand, to point at the one that is wrong."""

from __future__ import annotations

from collections.abc import Iterable

import sqlglot
from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from deniable.engines.dialect import OURS, is_statement
from deniable.sql.masking import NAMES, Known, hidden_tokens, is_constant, masked

Part = tuple[int, int]  # the first character, and the one after the last


class Refusal(Exception):
    """One part of a statement that cannot be there."""

    def __init__(self, what: str, part: Part) -> None:
        super().__init__(what)
        self.what, self.part = what, part


class Statement:
    """The text of a statement and its tokens, without semicolons at the end."""

    def __init__(self, sql: str, known: Known) -> None:
        self.sql, self.known = sql, known
        self.whole: Part = (0, len(sql))
        try:
            self.tokens = sqlglot.tokenize(sql, read=OURS)
        except TokenError:
            what = "expected a closing quote; found the end of the statement"
            raise Refusal(what, (_open_quote(sql), len(sql))) from None
        while self.tokens and self.tokens[-1].token_type == TokenType.SEMICOLON:
            self.tokens.pop()
        self._outer = _outside_parentheses(self.tokens)
        self._hidden = hidden_tokens(self.tokens, known)

    def find(self, kinds: Iterable[TokenType], after: int = 0) -> int | None:
        """The index of the first such token that stands in no parenthesis."""
        return next((i for i in self._outer if i >= after and self.tokens[i].token_type in kinds), None)

    def part(self, first: int, last: int | None = None) -> Part:
        """From one token to another."""
        return self.tokens[first].start, self.tokens[first if last is None else last].end + 1

    def word(self, index: int) -> str:
        """A token as a message may show it: constants, and names that should be constants, may be private."""
        token = self.tokens[index]
        if is_constant(token):
            return "a constant"
        if index in self._hidden:
            return "a name"
        if token.token_type in NAMES:
            where = self.find([TokenType.WHERE])
            return token.text if where is None or index < where else "a name"
        return token.text.upper()

    def hides(self, part: Part) -> bool:
        """Whether a message must not show all of a part."""
        return any(part[0] <= self.tokens[i].start < part[1] for i in self._hidden)

    @property
    def shown(self) -> str:
        """The text for underlining, as long as it was written."""
        return masked(self.sql, self.known, self.tokens)

    def columns(self) -> list[tuple[int, int]]:
        """The first and last token of each piece between SELECT and FROM, cut at its commas."""
        first = 2 if len(self.tokens) > 1 and self.tokens[1].token_type in (TokenType.DISTINCT, TokenType.ALL) else 1
        end = self.find([TokenType.FROM]) or len(self.tokens)
        commas = [i for i in self._outer if first <= i < end and self.tokens[i].token_type == TokenType.COMMA]
        found = []
        for before, after in zip([first - 1, *commas], [*commas, end], strict=True):
            if after == before + 1:
                comma = after if after in commas else before
                raise Refusal("expected a column; found nothing", self.part(comma))
            found.append((before + 1, after - 1))
        return found

    def place(self, node: exp.Expr) -> Part:
        """Where a node of the parsed tree stands; the whole statement when the parser has not kept it."""
        places = [part.meta for part in node.walk() if "start" in part.meta]
        if not places:
            return self.whole
        first = self._at(min(place["start"] for place in places))
        last = self._at(max(place["end"] for place in places))
        if isinstance(node, (exp.Select, exp.Subquery, exp.Exists)):
            while first and not (self._opens(first) and self.tokens[first + 1].token_type == TokenType.SELECT):
                first -= 1
        elif isinstance(node, exp.Func):
            if first > 1 and self._opens(first - 1) and self.sql[self.tokens[first - 1].start - 1].isalnum():
                first -= 2  # max(age): the name has no place of its own
            elif first == last and self._opens(last + 1):
                last += 1  # random(): nothing but the name has one
        return self.part(first, self._closed(first, last))

    def _at(self, offset: int) -> int:
        return next(i for i, token in enumerate(self.tokens) if offset <= token.end)

    def rest(self, table: exp.Table) -> int | None:
        """The token that follows the table and its alias, if that is not WHERE."""
        after = (self.find([TokenType.FROM]) or 0) + 2 * len(table.parts)
        if table.args.get("alias"):
            after += 1 + (after < len(self.tokens) and self.tokens[after].token_type == TokenType.ALIAS)
            if self.tokens[after - 1].token_type not in NAMES:
                return after - 1
        ended = after >= len(self.tokens) or self.tokens[after].token_type == TokenType.WHERE
        return None if ended else after

    def is_readable(self) -> bool:
        """Whether a database reads it, which the parser's word is no proof of: it is lenient."""
        if any(token.text == "!" and token.token_type == TokenType.NOT for token in self.tokens):
            return False
        return is_statement(self.sql)

    def at(self, line: int, column: int) -> int:
        """The token that holds a character, given as the parser gives it; the last one when none does."""
        offset = sum(len(row) + 1 for row in self.sql.split("\n")[: line - 1]) + column - 1
        return min(sum(token.end < offset for token in self.tokens), len(self.tokens) - 1)

    def _opens(self, index: int) -> bool:
        return index < len(self.tokens) and self.tokens[index].token_type == TokenType.L_PAREN

    def _closed(self, first: int, last: int) -> int:
        """The token that closes every parenthesis opened from `first` to `last`."""
        kinds = [token.token_type for token in self.tokens]
        while last + 1 < len(kinds):
            inside = kinds[first : last + 1]
            if inside.count(TokenType.L_PAREN) <= inside.count(TokenType.R_PAREN):
                break
            last += 1
        return last


def _outside_parentheses(tokens: list[Token]) -> list[int]:
    depth, found = 0, []
    for index, token in enumerate(tokens):
        depth -= token.token_type == TokenType.R_PAREN
        if depth == 0:
            found.append(index)
        depth += token.token_type == TokenType.L_PAREN
    return found


def _open_quote(sql: str) -> int:
    """The quote that the tokenizer never saw closed: the last one that opens something."""
    start, quote = 0, ""
    for index, character in enumerate(sql):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            start, quote = index, character
    return start
