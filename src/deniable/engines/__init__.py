"""Where the table lives. An engine attaches it, counts in it, and writes out of it."""

from __future__ import annotations

from deniable.engines.base import Engine
from deniable.errors import Mistake, Unsupported


def open_engine(name: str = "duckdb") -> Engine:
    """The engine that `--engine` names; the embedded DuckDB by default."""
    if name == "duckdb":
        from deniable.engines.duckdb import DuckDBEngine

        return DuckDBEngine()
    raise Unsupported(Mistake("--engine", f"expected duckdb; found {name}"))
