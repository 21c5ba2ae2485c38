"""View -> SELECT: a statement as somebody would write it, with quotes only where a name needs them."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from deniable.engines.dialect import OURS


def is_bare(name: str) -> bool:
    """Whether a name needs no quotes."""
    tokens = sqlglot.tokenize(name, read=OURS)
    return len(tokens) == 1 and tokens[0].token_type == TokenType.VAR and not tokens[0].comments


def statement(columns: Sequence[str], table: str, condition: exp.Expr | None, *, distinct: bool) -> str:
    """SELECT [DISTINCT] columns FROM table [WHERE condition]."""
    names = (exp.column(name, quoted=not is_bare(name)) for name in columns)
    query = exp.select(*names).from_(exp.Table(this=exp.to_identifier(table, quoted=not is_bare(table))))
    query = query.where(condition.copy()) if condition is not None else query
    return (query.distinct() if distinct else query).sql(OURS)
