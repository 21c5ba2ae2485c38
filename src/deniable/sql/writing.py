"""SELECT as somebody would write it: names stand in quotes only where they must."""

from __future__ import annotations

import re
from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from deniable.engines.dialect import OURS
from deniable.sql.masking import NAMES

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_plain(name: str) -> bool:
    """Whether a name is read as one without quotes: no other character, and no word that SQL keeps for itself."""
    if not _PLAIN.fullmatch(name):
        return False
    tokens = sqlglot.tokenize(name, read=OURS)
    is_name = len(tokens) == 1 and tokens[0].token_type in NAMES
    return is_name and exp.to_identifier(name, quoted=False).sql(OURS) == name


def projection(
    columns: Sequence[str], table: str, condition: exp.Expr | None = None, *, distinct: bool = False
) -> exp.Select:
    """SELECT [DISTINCT] columns FROM table [WHERE condition]."""
    names = [exp.Column(this=_identifier(name)) for name in columns]
    query = exp.select(*names).from_(exp.Table(this=_identifier(table)))
    query = query.where(condition.copy()) if condition is not None else query
    return query.distinct() if distinct else query


def statement(columns: Sequence[str], table: str, condition: exp.Expr | None = None, *, distinct: bool = False) -> str:
    """The same as a release file has it."""
    return projection(columns, table, condition, distinct=distinct).sql(OURS)


def _identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=not is_plain(name))
