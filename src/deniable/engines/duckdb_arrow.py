"""From DuckDB to Arrow, by the shorter of two ways.

A relation reads and binds its text twice, when it is made and when it is fetched, which of short tables is a third of
what a query takes; a cursor does so once, but copies the rows that it gives as Arrow.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_COPIED = "Arrow output on a DB-API result"  # of which DuckDB warns


def fetched(connection: duckdb.DuckDBPyConnection, text: str, *, is_short: bool) -> pa.Table:
    """The answer to a query; `is_short`: of tables so short that a copy of it is nothing."""
    if not is_short:
        return connection.sql(text).to_arrow_table()
    answer = connection.execute(text)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _COPIED)
        return cast("pa.Table", answer.to_arrow_table())
