"""An engine of its own name: the embedded one, which notes what it is asked."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
from sqlglot import exp

from deniable.engines.duckdb import DuckDBEngine

ASKED: list[str] = []


class ToyEngine(DuckDBEngine):
    def fetch(self, query: exp.Query) -> pa.Table:
        ASKED.append(query.sql())
        return super().fetch(query)


def open_engine(name: str, files: Iterable[str]) -> ToyEngine:
    ASKED.append(name)
    return ToyEngine(files)
