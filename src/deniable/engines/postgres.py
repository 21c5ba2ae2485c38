"""PostgreSQL: the analyses run where the table is, in one snapshot, and write temporary tables at most.

An engine is a connection with one transaction that is never committed. What an analysis calls a view is kept here as a
tree and sent with each query that reads it; what it stores is a temporary table, counted by ANALYZE since plans depend
on that, or where none may be made, a query too. Files other than the release's table are read by the embedded engine
and put into the database; what is written is written here, by the same.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from deniable.engines import postgres_catalog as catalog
from deniable.engines.asked_types import as_asked, insist_types
from deniable.engines.dialect import TEXT, ColumnType
from deniable.engines.duckdb import DuckDBEngine
from deniable.engines.postgres_connection import Connection
from deniable.engines.postgres_dialect import POSTGRES, lowered, text
from deniable.engines.postgres_errors import running
from deniable.engines.postgres_joins import matched
from deniable.engines.postgres_rows import for_server, listed, sql_type, streamed
from deniable.engines.tables import PLAIN, Writing, type_of
from deniable.errors import EngineError, LimitExceeded, Mistake, NoRows, Unsupported

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_LISTED = 2_000_000  # cells that a query may list, where no table may be made
_OPEN: weakref.WeakSet[PostgresEngine] = weakref.WeakSet()


def open_engine(address: str, files: Iterable[str] = ()) -> PostgresEngine:
    """A connection to the server of an address; what an address does not say, the environment and its files do."""
    if find_spec("adbc_driver_postgresql") is None:
        what = "expected the driver for PostgreSQL; found none: pip install 'deniable[postgres]'"
        raise Unsupported(Mistake("--engine", what))
    return PostgresEngine(address, files)


def interrupt() -> None:
    """Stop the queries of all engines of this process, on their servers too."""
    for engine in list(_OPEN):
        engine.cancel()


class PostgresEngine:
    """A connection to a server, and the one transaction in it."""

    has_tables = True

    def __init__(self, address: str, files: Iterable[str] = ()) -> None:
        self._files, self._reader = list(files), None
        self._views: dict[str, exp.Query] = {}  # by name, as PostgreSQL reads them
        self._joined: dict[str, int] = {}  # those of them that join others, and how often they were read
        self._matched: set[str] = set()  # those of them whose joins are as they are sent
        self._kinds: dict[str, dict[str, str]] = {}  # of views and tables of ours: the server's types of their columns
        self._facts: dict[tuple[str, tuple[str, ...]], dict[str, int]] = {}
        self.fetched = 0  # rows that came from the server in answers
        self._server = Connection(address)
        _OPEN.add(self)

    _reader: DuckDBEngine | None

    # What is asked of every engine.

    def header(
        self, table: Any, *, folder: Path, title: str = "", written: Writing = PLAIN, own: bool = False
    ) -> tuple[str, ...]:
        """The columns of a table of the database; of a file or a table in memory, as the embedded engine says."""
        if own and isinstance(table, (str, os.PathLike)):
            return tuple(column.name for column in self._table(os.fspath(table)).columns)
        return self._embedded.header(table, folder=folder, title=title, written=written)

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
        """A table of the database as a view; others are read by the embedded engine and put into the database."""
        if own and isinstance(table, (str, os.PathLike)):
            return self._attach(os.fspath(table), name, types, columns, row, texts=text is None)
        found = self._embedded.attach(
            table, name, text=text, types=types, folder=folder, columns=columns, row=row, title=title, written=written
        )
        catalog.insist_names(title or str(table), found)
        rows = exp.select("*").from_(exp.to_table(name))
        self.put(name, self._embedded.fetch(rows.order_by(exp.column(row, quoted=True)) if row else rows))
        return found

    def view(self, name: str, query: exp.Query) -> None:
        """Keep a query, to be sent with those that read it."""
        self._keep(name, lowered(query))

    def store(self, name: str, query: exp.Query) -> None:
        """CREATE TEMPORARY TABLE, and ANALYZE; or a query that is computed once in each that reads it."""
        made = lowered(query)
        if self._server.temporary:
            self._create(name, made)
        else:
            self._keep(name, made)

    def put(self, name: str, table: pa.Table) -> None:
        """COPY an Arrow table into a temporary one; or list its cells in each query that reads it."""
        catalog.insist_names(name, table.column_names)
        table = for_server(table)
        if not self._server.temporary:
            if table.num_rows * table.num_columns > _MOST_LISTED:
                raise LimitExceeded(f"postgresql: {table.num_rows:,} rows need a role that may make temporary tables")
            self._keep(name, listed(table))
            return
        kinds = {field.name: sql_type(field.type) for field in table.schema}
        ordered = {"TEXT": 'TEXT COLLATE "C"'}
        columns = ", ".join(f"{_quoted(column)} {ordered.get(kind, kind)}" for column, kind in kinds.items())
        self._forget(name)
        with self._server.guarded():
            self._server.run(f"CREATE TEMPORARY TABLE {_quoted(name)} ({columns}) ON COMMIT DROP")
            if table.num_rows:
                self._server.append(name, table)
        self._analyse(name)

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query to Arrow. Joins that are read again are kept."""
        made = lowered(query)
        if self._server.temporary:
            self._keep_joins(made, self._joined)
        found = self._sent(made)
        self.fetched += found.num_rows
        return found

    def save(self, query: exp.Query, path: Path) -> None:
        """Stream the rows through the embedded engine, which writes files of every engine alike."""
        failed: list[Exception] = []
        with self._server.guarded(), running(self._server.stopped):
            rows = self._server.stream(text(self._with_views(lowered(query))))
            try:
                self._embedded.save_stream(streamed(rows, failed), path)
            except EngineError:
                if failed:
                    raise failed[0] from None
                raise

    def close(self) -> None:
        """Close the connection: the server forgets whatever was made in it."""
        _OPEN.discard(self)
        self._server.close()
        if self._reader is not None:
            self._reader.close()

    def cancel(self) -> None:
        """Stop the query that is running, if any, from another thread."""
        self._server.cancel()

    # The release's table.

    def _table(self, name: str) -> catalog.Table:
        with self._server.guarded(), self._server.as_the_role_has_names():
            return catalog.find(lambda query: self._answer(query, name).to_pylist(), name)

    def _attach(
        self, title: str, name: str, types: Mapping[str, str], columns: Collection[str] | None, row: str, *, texts: bool
    ) -> dict[str, ColumnType]:
        """Columns have types of their own, which `types` converts; or all of them are asked for as text."""
        table = self._table(title)
        chosen = [one for one in table.columns if columns is None or one.name in columns] or list(table.columns[:1])
        scales = self._scales(title, table, chosen)
        cells = {one.name: catalog.read(one, scales) for one in chosen}
        wanted = dict.fromkeys(cells, TEXT) if texts else {}
        wanted |= {column: type_of(kind) for column, kind in types.items() if column in cells and not texts}
        own = exp.select(*(exp.alias_(cell, column, quoted=True) for column, (cell, _) in cells.items()))
        if row:
            place = exp.select(*(exp.column(one, "stored") for one in ("tableoid", "ctid"))).expressions
            order = exp.Order(expressions=place) if table.is_stored else None
            own = own.select(exp.alias_(exp.Window(this=exp.RowNumber(), order=order), row, quoted=True))
        source = own.from_(table.source())
        if not wanted:
            self._keep(name, source)
            return {column: kind for column, (_, kind) in cells.items()}
        self._keep(f"{name}_read", source)
        insist_types(self.fetch, title, f"{name}_read", wanted)
        typed = [
            exp.alias_(as_asked(exp.column(column, quoted=True), wanted.get(column)), column, quoted=True)
            for column in (*cells, *filter(None, [row]))
        ]
        self.view(name, exp.select(*typed).from_(exp.to_table(f"{name}_read")))
        return {column: wanted.get(column, kind) for column, (_, kind) in cells.items()}

    def _scales(self, title: str, table: catalog.Table, chosen: Sequence[catalog.Column]) -> dict[str, int]:
        """What is to be known of cells before they are read, each time that other columns are asked for."""
        asked = (title, tuple(one.name for one in chosen))
        if asked not in self._facts:
            with self._server.guarded():
                (told,) = self._answer(catalog.facts(table, chosen), title).to_pylist()
            if not told["any"]:
                raise NoRows(Mistake(title, "expected at least one row; found none"))
            self._facts[asked] = catalog.scales(title, chosen, told)
        return self._facts[asked]

    # How queries are sent.

    @property
    def _embedded(self) -> DuckDBEngine:
        if self._reader is None:
            self._reader = DuckDBEngine(self._files)
        return self._reader

    def _keep(self, name: str, query: exp.Query) -> None:
        catalog.insist_names(name, query.named_selects)
        self._forget(name)
        self._views[name] = query
        if query.find(exp.Join):
            self._joined[name] = 0

    def _forget(self, name: str) -> None:
        """What was called so is something else now."""
        for kept in (self._views, self._joined, self._kinds):
            kept.pop(name, None)
        self._matched.discard(name)

    def _keep_joins(self, query: exp.Query, read: dict[str, int]) -> None:
        """Joins that are read a second time become tables: no plan is better than to have done it. `read` says how
        often each was."""
        for table in list(query.find_all(exp.Table)):
            name = table.name
            if table.db or name not in self._views:
                continue
            if name in self._joined:
                read[name] = read.get(name, 0) + 1
                if read[name] > 1:
                    made = self._views[name]
                    self._keep_joins(made, {})
                    self._create(name, made)
                    continue
            self._keep_joins(self._views[name], read)

    def _create(self, name: str, made: exp.Query) -> None:
        """What is computed once, counted so that plans know how large it is."""
        with self._server.guarded():
            sent = text(self._with_views(made))
            self._server.run(f"CREATE TEMPORARY TABLE {_quoted(name)} ON COMMIT DROP AS {sent}")
        self._forget(name)
        self._analyse(name)

    def _analyse(self, name: str) -> None:
        self._server.run(f"ANALYZE {_quoted(name)}")
        self._server.changed()

    def _with_views(self, query: exp.Query) -> exp.Query:
        """A query with those that it reads, each before those that read it."""
        needed: dict[str, exp.Query] = {}

        def need(tree: exp.Query) -> None:
            for table in tree.find_all(exp.Table):
                if not table.db and table.name in self._views and table.name not in needed:
                    need(self._views[table.name])
                    if table.name not in self._matched:
                        matched(self._views[table.name], self._types)
                        self._matched.add(table.name)
                    needed[table.name] = self._views[table.name]

        need(query)
        made = matched(query.copy(), self._types)
        if not needed:
            return made
        ctes = [
            exp.CTE(this=one.copy(), alias=exp.TableAlias(this=exp.to_identifier(name)),
                    materialized=False if self._server.temporary else None)
            for name, one in needed.items()
        ]  # fmt: skip
        made.set("with_", exp.With(expressions=ctes))
        return made

    def _types(self, source: exp.Expr) -> dict[str, str]:
        """The types of the columns of what is read from, as the server says without reading it."""
        name = source.name if isinstance(source, exp.Table) and not source.db else ""
        if name in self._kinds:
            return self._kinds[name]
        described = text(self._with_views(exp.select("*").from_(source.copy())))
        found = self._server.types(described)
        if name:
            self._kinds[name] = found
        return found

    def _sent(self, query: exp.Query) -> pa.Table:
        with self._server.guarded():
            return self._answer(query)

    def _answer(self, query: exp.Query, title: str = "") -> pa.Table:
        return self._server.read(text(self._with_views(query)), title)


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql(POSTGRES)
