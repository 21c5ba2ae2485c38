"""Where the table lives. An engine attaches it, counts in it, and writes out of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deniable.engines.base import Engine
from deniable.errors import Mistake, Unsupported

if TYPE_CHECKING:
    import pyarrow as pa


def check_engine(name: str) -> None:
    """Raises Unsupported for an engine that there is not."""
    if name != "duckdb":
        raise Unsupported(Mistake("--engine", f"expected duckdb; found {name}"))


def open_engine(name: str = "duckdb") -> Engine:
    """The engine that `--engine` names; the embedded DuckDB by default."""
    check_engine(name)
    from deniable.engines.duckdb import DuckDBEngine

    return DuckDBEngine()


def save_table(table: pa.Table, path: str | Path, *order: str) -> None:
    """Write a table that is in memory to a .csv or .parquet file, all of it or nothing."""
    from deniable.sql.build import select

    engine = open_engine()
    try:
        engine.put("saved", table)
        query = select("*").from_("saved")
        engine.save(query.order_by(*order) if order else query, Path(path))
    finally:
        engine.close()
