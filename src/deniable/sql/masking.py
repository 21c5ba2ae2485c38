"""What a message may show of a statement: its words, its columns, and nothing that may be a cell.

A statement that is wrong is often wrong because a value stands in it without its quotes, or with one of them. So shown
are names that are a column's or the table's, nearly at least, what stands alone where only one of these can, and words
of SQL; beside the private column only columns and the words of a comparison. Constants, comments and all that follows
an open quote are not.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import sqlglot
from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from deniable.engines.dialect import OURS
from deniable.frozen import frozen
from deniable.words import MASK

NAMES = (TokenType.VAR, TokenType.IDENTIFIER)
_ENDS = (
    TokenType.AND, TokenType.OR, TokenType.SELECT, TokenType.FROM, TokenType.WHERE, TokenType.ON, TokenType.HAVING,
    TokenType.GROUP_BY, TokenType.ORDER_BY, TokenType.LIMIT, TokenType.QUALIFY, TokenType.UNION, TokenType.EXCEPT,
    TokenType.INTERSECT, TokenType.JOIN, TokenType.USING, TokenType.SEMICOLON,
)  # fmt: skip
# The words of a comparison; others may be a value that is written without its quotes, such as LEFT, or TRUE.
_WORDS = frozenset(
    ["AND", "AS", "BETWEEN", "CASE", "CAST", "ELSE", "END", "ESCAPE", "FETCH", "FOR", "ILIKE", "IN", "INTO", "IS",
     "LIKE", "NOT", "NULL", "OFFSET", "OR", "PIVOT", "TABLESAMPLE", "THEN", "UNPIVOT", "WHEN", "WINDOW"]
)  # fmt: skip
_NO_ENDS = (TokenType.AND, TokenType.OR, TokenType.SELECT, TokenType.FROM, TokenType.ON)
_AFTER_TABLE = (*(kind for kind in _ENDS if kind not in _NO_ENDS), TokenType.COMMA)
_CONDITIONS = (TokenType.WHERE, TokenType.ON, TokenType.HAVING, TokenType.QUALIFY)
_SPELT, _NEARLY = ("SELECT", "FROM", "WHERE"), 0.75  # words that are told though they are misspelt, so little
_UNSAFE = re.compile(r"['\"`$]|--|/\*")


@frozen
class Known:
    """The names that a message may show: of columns, of the table, and which column is private."""

    columns: Sequence[str] = ()
    private: str = ""
    table: str = ""
    functions: Sequence[str] = ()  # of the private column: what they are compared with tells of it

    def has(self, name: str) -> bool:
        """Whether it is a column's name, or the table's; case does not matter."""
        return name.lower() in {known.lower() for known in (*self.columns, self.private, self.table) if known}

    def is_private(self, name: str) -> bool:
        """Whether it is the private column's, or a function's of it."""
        return bool(name) and name.lower() in {known.lower() for known in (self.private, *self.functions)}

    def is_swallowed(self, name: str) -> bool:
        """Whether a name in quotes has a comparison in it, as where a quote was lost and the next one closes: nobody
        knows what stands in it, nor behind it."""
        inside = bool(self.private) and re.search(rf"(?<!\w){re.escape(self.private)}(?!\w)", name, re.IGNORECASE)
        return bool(inside) and not self.has(name)

    def is_glued(self, name: str) -> bool:
        """Whether it is the private column's name and more, which may be what that was compared with."""
        return bool(self.private) and self.private.lower() in name.lower() and len(name) > len(self.private) + 1

    def is_like(self, name: str) -> bool:
        """Whether it is a name, or nearly; none that has become longer by what stood beside it."""
        if self.has(name):
            return True
        nearest = difflib.get_close_matches(name, [known for known in (*self.columns, self.table) if known], n=1)
        longer = [one for one in nearest if len(name) > len(one) + 1 and (name.startswith(one) or name.endswith(one))]
        return bool(nearest) and not longer and not self.is_glued(name)


def _is_misspelt(word: str, known: Sequence[str]) -> bool:
    """Whether letters of a word of SQL were lost or changed places: further ones may be a value's."""
    close = difflib.get_close_matches(word.upper(), known, n=1, cutoff=_NEARLY)
    return any(not Counter(word.upper()) - Counter(one) for one in close)


def masked(sql: str, known: Known, tokens: Sequence[Token] | None = None) -> str:
    """The statement, as long as it was, with `MASK` for every character that may be one of a cell."""
    if tokens is None:
        return _untold(sql, known)
    return _shown(sql, tokens, hidden_tokens(tokens, known))


def _shown(sql: str, tokens: Sequence[Token], hidden: Collection[int]) -> str:
    made, at = [], 0
    for i, token in enumerate(tokens):
        between = sql[at : token.start]
        made.append(between if between.isspace() else MASK * len(between))  # a comment
        text = sql[token.start : token.end + 1]
        made.append(MASK * len(text) if i in hidden else text)
        at = token.end + 1
    rest = sql[at:]
    made.append(rest if not rest.strip(" \t\r\n;") else MASK * len(rest))
    return "".join(made)


def unmasked(sql: str, known: Known) -> str:
    """A part of a statement as a message shows it, with `?` for what it must not."""
    try:
        tokens = sqlglot.tokenize(sql, read=OURS)
    except TokenError:
        return "something else"
    return re.sub(f"{MASK}+", "?", masked(sql, known, tokens))


def _untold(sql: str, known: Known) -> str:
    """A statement that cannot be taken apart: what stands before its first quote or comment, if that can."""
    opened = _UNSAFE.search(sql)
    cut = opened.start() if opened else 0
    try:
        tokens = sqlglot.tokenize(sql[:cut], read=OURS)
        before = _shown(sql[:cut], tokens, hidden_tokens(tokens, known, cut=True)) if cut else ""
    except TokenError:
        before = MASK * cut
    return before + MASK * (len(sql) - cut)


def hidden_tokens(tokens: Sequence[Token], known: Known, *, cut: bool = False) -> frozenset[int]:
    """The tokens that a message must not show, of a statement or a part of one: all but structure, what is known to be
    a name, and what stands where only a column's or a table's can. `cut`: nobody knows how the statement goes on."""
    start = next((i for i, token in enumerate(tokens) if token.token_type == TokenType.FROM), len(tokens))
    if start + 1 < len(tokens) and tokens[start + 1].token_type not in NAMES:
        start = len(tokens)  # value FROM = problem: no table follows, so that nothing before it is a list of columns
    after, alias = _alias(tokens, start)
    plain = {*_plain_columns(tokens, start, known), *_plain_table(tokens, start, known)}
    begins = bool(tokens) and _is_misspelt(tokens[0].text, _SPELT[:1])
    if not begins or (cut and after >= len(tokens)):
        plain = set()
    named = [i for i, token in enumerate(tokens) if token.token_type in NAMES]
    privates = {i for i in named if known.is_private(tokens[i].text) or known.is_glued(tokens[i].text)}
    # Without a FROM or a WHERE that is spelt right, nobody knows what is compared with what.
    lost = bool(privates - plain) or _is_cut(tokens)
    lost = lost and not any(token.token_type in _CONDITIONS for token in tokens)
    plain = set() if lost else plain
    aliased = replace(known, columns=(*known.columns, *(alias if after - 1 in plain else ())))
    plain |= {0} if begins else set()  # also where it is misspelt
    hidden = {i for i, token in enumerate(tokens) if is_constant(token)}
    for part in _parts(tokens, start):
        private = lost or not privates.isdisjoint(part)
        hidden |= {i for i in part if i not in plain and not _may_be_shown(tokens, i, aliased, private=private)}
    opened = next((i for i, token in enumerate(tokens) if known.is_swallowed(token.text)), len(tokens))
    return frozenset([*hidden, *range(opened, len(tokens))])


def is_constant(token: Token) -> bool:
    """Whether a token is a number, or text in some quotes."""
    return token.token_type == TokenType.NUMBER or token.token_type.name.endswith("STRING")


def _alias(tokens: Sequence[Token], start: int) -> tuple[int, tuple[str, ...]]:
    """Where the table and what the statement calls it end, and that name, if there is one."""
    at = start + 2
    while at + 1 < len(tokens) and tokens[at].token_type == TokenType.DOT:  # FROM schema.patients
        at += 2
    behind = at + 1 if at < len(tokens) and tokens[at].token_type == TokenType.ALIAS else at
    if behind < len(tokens) and tokens[behind].token_type in NAMES:
        return behind + 1, (tokens[behind].text,)
    return at, ()


def _plain_table(tokens: Sequence[Token], start: int, known: Known) -> Iterator[int]:
    """The tokens of the table's name, right or wrong, where the statement ends behind it or goes on as one does:
    `FROM patientsWHERE problem = value` and `FROM value = problem` name no table. Another name for it is one only if
    a column has it before itself, and none if it is a column's."""
    after, alias = _alias(tokens, start)
    goes_on = after >= len(tokens) or tokens[after].token_type in _AFTER_TABLE
    again = any(token.token_type == TokenType.FROM for token in tokens[start + 1 :])
    if not goes_on or again or any(known.has(one) for one in alias if one.lower() != known.table.lower()):
        return
    yield from range(start + 1, after - len(alias))
    for one in alias:
        places = (i for i, token in enumerate(tokens[:-2]) if token.text == one)
        used = any(tokens[i + 1].token_type == TokenType.DOT and known.is_like(tokens[i + 2].text) for i in places)
        yield from [after - 1] if used else []


def _is_cut(tokens: Sequence[Token]) -> bool:
    """Whether a parenthesis closes that nothing opened: perhaps that of `problem IN (`, which was lost."""
    depth = 0
    for token in tokens:
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if depth < 0:
            return True
    return False


def _plain_columns(tokens: Sequence[Token], start: int, known: Known) -> Iterator[int]:
    """Tokens of what SELECT lists as a column by its name, with its table or another name for it, right or wrong; none
    if more is listed than the private column where it is, or if there is no table."""
    listed = [range(a + 1, b) for a, b in pairwise([0, *_commas(tokens, start), start])]
    privates = [part for part in listed if any(known.is_private(tokens[i].text) for i in part)]
    names = {*NAMES, TokenType.DOT, TokenType.ALIAS, TokenType.DISTINCT, TokenType.STAR}
    if start == len(tokens) or (privates and any(_is_more(tokens[part.start : part.stop], known) for part in privates)):
        return
    for part in listed:
        if {tokens[i].token_type for i in part} <= names:
            yield from part


def _is_more(tokens: Sequence[Token], known: Known) -> bool:
    """Whether more is listed than the private column, perhaps with its table."""
    named = tokens[1:] if tokens[0].token_type in (TokenType.DISTINCT, TokenType.ALL) else tokens
    dots = [token.token_type == TokenType.DOT for token in named]
    return dots != [at % 2 == 1 for at in range(len(named))] or any(known.is_private(t.text) for t in named[:-1])


def _commas(tokens: Sequence[Token], end: int) -> Iterator[int]:
    """The commas that stand in no parenthesis."""
    depth = 0
    for i, token in enumerate(tokens[:end]):
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if token.token_type == TokenType.COMMA and not depth:
            yield i


def _parts(tokens: Sequence[Token], start: int) -> Iterator[list[int]]:
    """The tokens, cut where a comparison or a listed column ends; the AND of `problem BETWEEN x AND y` cuts nothing,
    nor does the SELECT of `problem = (SELECT value)`, which may be a value's own."""
    part: list[int] = []
    between, depth, commas = False, 0, set(_commas(tokens, start))
    for i, token in enumerate(tokens):
        kind = token.token_type
        depth = max(depth + (kind == TokenType.L_PAREN) - (kind == TokenType.R_PAREN), 0)
        both = kind == TokenType.AND and between
        between = kind == TokenType.BETWEEN or (between and not both)
        part.append(i)
        ends = kind in _ENDS and (not depth or kind in (TokenType.AND, TokenType.OR))
        if (ends and not both) or i in commas:
            yield part
            part, between = [], False
    if part:
        yield part


def _may_be_shown(tokens: Sequence[Token], i: int, known: Known, *, private: bool) -> bool:
    """Whether a token is structure, or a name that is no value; stricter where the private column is compared."""
    token, after = tokens[i], tokens[i + 1] if i + 1 < len(tokens) else None
    if token.token_type not in NAMES and not any(character.isalnum() for character in token.text):
        return True
    follows = after.token_type if after else None
    inside = tokens[i + 2].text if i + 2 < len(tokens) else ""
    if follows == TokenType.L_PAREN and (token.token_type in NAMES or token.text.upper() in exp.FUNCTION_BY_NAME):
        return token.text.upper() in exp.FUNCTION_BY_NAME and (not private or known.has(inside))
    if token.token_type not in NAMES:
        return not private or token.text.upper() in _WORDS or token.token_type in _ENDS
    if private:
        return known.has(token.text)
    return known.is_like(token.text) or _is_misspelt(token.text, _SPELT)
