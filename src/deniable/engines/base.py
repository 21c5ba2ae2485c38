"""What an analysis needs of an engine: eight operations, queries in, Arrow out.

Queries are sqlglot trees in the dialect of `dialect`; an engine turns them into its own.
Nothing above this line knows which database is underneath. `scope` makes the names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from deniable.engines.tables import PLAIN, Writing

if TYPE_CHECKING:
    import pyarrow as pa
    from sqlglot import exp

    from deniable.engines.dialect import ColumnType


class Engine(Protocol):
    """A database connection with the private table attached."""

    has_tables: bool  # whether a release's table is one that it has already, and no file

    def header(
        self, table: Any, *, folder: Path, title: str = "", written: Writing = PLAIN, own: bool = False
    ) -> tuple[str, ...]:
        """The names of a table's columns; no row is read, and no column gets a type. See `attach` for `own`."""

    def attach(
        self,
        table: Any,
        name: str,
        *,
        text: Sequence[str] | None,
        types: Mapping[str, str],
        folder: Path,
        columns: Collection[str] | None = None,
        row: str = "",
        title: str = "",
        written: Writing = PLAIN,
        own: bool = False,
    ) -> dict[str, ColumnType]:
        """Make the table known under a name; returns its columns and their types.

        Of `columns` those are read that there are (None: all; where there is none of these, one is). `text` columns
        (None: all) are read as text whatever they look like; `types` overrides guesses. `row` names a further column
        that numbers the rows from 1 in the order that they have; `title` is what messages call a table that has no
        file; `written` is how a text file is. `own` says that this is the release's table itself: where the engine
        `has_tables`, a name of one of them; everything else is a file, or a table in memory, on every engine.
        """

    def view(self, name: str, query: exp.Query) -> None:
        """Give a query a name; nothing is computed."""

    def store(self, name: str, query: exp.Query) -> None:
        """Compute a query once and keep its answer under a name."""

    def put(self, name: str, table: pa.Table) -> None:
        """Make a small Arrow table known under a name."""

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query; its answer as an Arrow table."""

    def save(self, query: exp.Query, path: Path) -> None:
        """Stream a query's answer into a .csv or .parquet file, all of it or nothing."""

    def close(self) -> None:
        """Let go of the connection and of everything it kept."""
