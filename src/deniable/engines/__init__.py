"""Where the table lives. An engine attaches it, counts in it, and writes out of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from deniable.effort import ENGINE
from deniable.engines.base import Engine
from deniable.errors import Mistake, Unsupported

if TYPE_CHECKING:
    import pyarrow as pa

# What `--engine` may name, or how its address begins (`scheme://`, `local[`), and the module whose `open_engine` opens
# it. In Python an engine may also be a session of Spark's.
ENGINES = {
    "duckdb": "deniable.engines.duckdb",
    "postgresql://": "deniable.engines.postgres",
    "postgres://": "deniable.engines.postgres",
    "spark": "deniable.engines.spark",
    "spark://": "deniable.engines.spark",
    "local[": "deniable.engines.spark",
    "local-cluster[": "deniable.engines.spark",
}


def check_engine(name: str) -> None:
    """Raises Unsupported for an engine that there is not."""
    if _key(name) not in ENGINES:
        found = _key(name) if isinstance(name, str) else name  # an address may have a password in it
        known = " or ".join(f"{one}*]" if one.endswith("[") else one for one in ENGINES)
        raise Unsupported(Mistake("--engine", f"expected {known}; found {found}"))


def has_tables(name: str) -> bool:
    """Whether an engine has tables of its own: a release's table then is one of those."""
    return ENGINES.get(_key(name)) != ENGINES[ENGINE]


def kind_of(name: str) -> str:
    """What an engine is, without its address, which may have a password in it."""
    return _key(name).rstrip(":/[")


def open_engine(name: str = ENGINE, files: Iterable[str] = ()) -> Engine:
    """The engine that `--engine` names; the embedded one by default. `files` are all that it shall read."""
    check_engine(name)
    return cast(Engine, import_module(ENGINES[_key(name)]).open_engine(name, files))


def interrupt() -> None:
    """Stop what the engines of this process are at, from another thread than theirs."""
    for home in ENGINES.values():
        if home in sys.modules and hasattr(sys.modules[home], "interrupt"):
            sys.modules[home].interrupt()


def _key(name: str) -> str:
    """The name itself, or the beginning of an address."""
    if not isinstance(name, str):
        return "spark" if type(name).__name__ == "SparkSession" else ""
    for mark in ("://", "["):
        if mark in name:
            return name.partition(mark)[0] + mark
    return name


@contextmanager
def opened(name: str = ENGINE, files: Iterable[str] = ()) -> Iterator[Engine]:
    """An engine for some work, closed after it."""
    engine = open_engine(name, files)
    try:
        yield engine
    finally:
        engine.close()


def save_table(table: pa.Table, path: str | Path, *order: str) -> None:
    """Write a table that is in memory to a .csv or .parquet file, all of it or nothing."""
    from sqlglot import exp

    with opened() as engine:
        engine.put("saved", table)
        query = exp.select("*").from_("saved")
        engine.save(query.order_by(*order) if order else query, Path(path))


def library_versions() -> tuple[tuple[str, str], ...]:
    """What queries are built with, and what answers them where no other engine is named."""
    import duckdb
    import sqlglot

    return ("DuckDB", str(duckdb.__version__)), ("sqlglot", str(getattr(sqlglot, "__version__", "")))
