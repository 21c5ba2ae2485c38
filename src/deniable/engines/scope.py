"""Names for what an analysis makes in an engine.

A scope makes them, each different from all others, and gives them out as relations: a query reads what it is given,
never what somebody else has left under a name that both know.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from deniable.engines.base import Engine
from deniable.engines.dialect import ColumnType
from deniable.engines.tables import PLAIN, Writing
from deniable.frozen import frozen

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = count(1)


@frozen
class Relation:
    """Something in an engine that has rows."""

    name: str

    def as_(self, alias: str) -> exp.Table:
        """To read from, under a name that holds within one query."""
        return exp.table_(self.name, alias=alias)


@frozen
class Attached:
    """A file or a table of the user's in an engine, with its columns."""

    relation: Relation
    columns: Mapping[str, ColumnType]


@frozen
class Scope:
    """An engine, and names in it."""

    engine: Engine

    @property
    def has_tables(self) -> bool:
        """Whether a release's table is one that the engine has already, and no file."""
        return self.engine.has_tables

    def header(
        self, table: Any, *, folder: Path, title: str = "", written: Writing = PLAIN, own: bool = False
    ) -> tuple[str, ...]:
        """The names of a table's columns; see `Engine.header`."""
        return self.engine.header(table, folder=folder, title=title, written=written, own=own)

    def attach(
        self,
        table: Any,
        what: str,
        *,
        text: Sequence[str] | None,
        types: Mapping[str, str] | None = None,
        folder: Path = Path(),
        columns: Collection[str] | None = None,
        row: str = "",
        title: str = "",
        written: Writing = PLAIN,
        own: bool = False,
    ) -> Attached:
        """Make a file or a table known; see `Engine.attach`."""
        relation = _named(what)
        found = self.engine.attach(
            table,
            relation.name,
            text=text,
            types=types or {},
            folder=folder,
            columns=columns,
            row=row,
            title=title or what,
            written=written,
            own=own,
        )
        return Attached(relation, found)

    def view(self, what: str, query: exp.Query) -> Relation:
        """A query under a name; nothing is computed."""
        relation = _named(what)
        self.engine.view(relation.name, query)
        return relation

    def store(self, what: str, query: exp.Query) -> Relation:
        """A query's answer, computed once."""
        relation = _named(what)
        self.engine.store(relation.name, query)
        return relation

    def put(self, what: str, table: pa.Table) -> Relation:
        """A small Arrow table."""
        relation = _named(what)
        self.engine.put(relation.name, table)
        return relation

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query; its answer as an Arrow table."""
        return self.engine.fetch(query)

    def save(self, query: exp.Query, path: Path) -> None:
        """Stream a query's answer into a .csv or .parquet file, all of it or nothing."""
        self.engine.save(query, path)

    def close(self) -> None:
        """Let go of the engine and of everything it kept."""
        self.engine.close()


def _named(what: str) -> Relation:
    return Relation(f"{what}_{next(_NUMBERS)}")
