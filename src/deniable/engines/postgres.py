"""PostgreSQL: the analyses run where the table is, in one snapshot, and write temporary tables at most.

An engine is a connection with one transaction that is never committed. What an analysis calls a view is kept here as a
tree and sent with each query that reads it; what it stores is a temporary table, counted by ANALYZE since plans depend
on that, or where none may be made, a query too. Files other than the release's table are read by the embedded engine
and put into the database; what is written is written here, by the same.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from deniable.engines import postgres_catalog as catalog
from deniable.engines.dialect import TEXT, ColumnType, try_cast
from deniable.engines.duckdb import DuckDBEngine
from deniable.engines.postgres_dialect import POSTGRES, lowered, text
from deniable.engines.postgres_errors import reading, refused, running
from deniable.engines.postgres_rows import for_server, from_server, listed, sql_type, streamed
from deniable.engines.tables import PLAIN, SQL_TYPES, Writing, type_of
from deniable.errors import BadInput, LimitExceeded, Mistake, NoRows, UnfitQuery, Unsupported

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_LISTED = 2_000_000  # cells that a query may list, where no table may be made
_SETTINGS = {  # for the one transaction; nothing else of the server changes
    "search_path": "pg_catalog, pg_temp",
    "standard_conforming_strings": "on",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "extra_float_digits": "1",
    "jit": "off",
    "client_min_messages": "error",
    "default_statistics_target": "10",
    "enable_mergejoin": "off",  # what is joined has no order, and to sort it costs more than to hash it
}
_MEMORY = 64 << 20  # bytes that a step of a query may take before it spills, unless the server allows more
_OPEN: weakref.WeakSet[PostgresEngine] = weakref.WeakSet()


def open_engine(address: str, files: Iterable[str] = ()) -> PostgresEngine:
    """A connection to the server of an address; what an address does not say, the environment and its files do."""
    if find_spec("adbc_driver_postgresql") is None:
        what = "expected the driver for PostgreSQL; found none: pip install 'deniable[postgres]'"
        raise Unsupported(Mistake("--engine", what))
    return PostgresEngine(address, files)


def _end(connection: Any, cursor: Any) -> None:
    """Leave the server, also where nobody has closed the engine: the transaction would go on, and hold what it read."""
    from adbc_driver_manager import Error

    with suppress(Error):
        cursor.execute("ROLLBACK")
    with suppress(Error):
        cursor.close()
    with suppress(Error, RuntimeError):
        connection.close()


def interrupt() -> None:
    """Stop the queries of all engines of this process, on their servers too."""
    for engine in list(_OPEN):
        engine.cancel()


class PostgresEngine:
    """A connection to a server, and the one transaction in it."""

    has_tables = True

    def __init__(self, address: str, files: Iterable[str] = ()) -> None:
        from adbc_driver_manager import Error
        from adbc_driver_postgresql import dbapi

        self._files, self._reader = list(files), None
        self._views: dict[str, exp.Query] = {}  # by name, as PostgreSQL reads them
        self._joined: set[str] = set()  # those of them that join others
        self._facts: dict[tuple[str, tuple[str, ...]], dict[str, int]] = {}
        self._stopped = self._changed = self._saved = False
        self.fetched = 0  # rows that came from the server in answers
        try:
            self._connection = dbapi.connect(address, autocommit=True)
        except Error as error:
            raise refused(address, error) from None
        self._cursor = self._connection.cursor()
        self._ended = weakref.finalize(self, _end, self._connection, self._cursor)
        _OPEN.add(self)
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    _reader: DuckDBEngine | None

    def _begin(self) -> None:
        """One snapshot for everything; names are looked up as the role has them before that is changed."""
        self._execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        (told,) = self._told(
            "SELECT has_database_privilege(current_database(), 'TEMP') AND NOT pg_is_in_recovery() AS temporary, "
            "current_setting('search_path') AS path"
        )
        self.temporary: bool = told["temporary"]  # whether tables of its own may be made
        self._path: str = told["path"]
        if self.temporary and self._told("SELECT current_setting('transaction_read_only') AS only")[0]["only"] == "on":
            self._execute("SET TRANSACTION READ WRITE")
        (memory,) = self._told("SELECT pg_size_bytes(current_setting('work_mem')) AS bytes")
        if memory["bytes"] < _MEMORY:
            self._execute(f"SET LOCAL work_mem = '{_MEMORY >> 10}kB'")
        for name, value in _SETTINGS.items():
            self._execute(f"SET LOCAL {name} = '{value}'" if name != "search_path" else f"SET LOCAL {name} = {value}")

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
        if not self.temporary:
            self._keep(name, made)
            return
        self._create(name, made)

    def put(self, name: str, table: pa.Table) -> None:
        """COPY an Arrow table into a temporary one; or list its cells in each query that reads it."""
        catalog.insist_names(name, table.column_names)
        table = for_server(table)
        if not self.temporary:
            if table.num_rows * table.num_columns > _MOST_LISTED:
                raise LimitExceeded(f"postgresql: {table.num_rows:,} rows need a role that may make temporary tables")
            self._keep(name, listed(table))
            return
        kinds = {field.name: sql_type(field.type) for field in table.schema}
        ordered = {"TEXT": 'TEXT COLLATE "C"'}
        columns = ", ".join(f"{_quoted(column)} {ordered.get(kind, kind)}" for column, kind in kinds.items())
        self._run(f"CREATE TEMPORARY TABLE {_quoted(name)} ({columns}) ON COMMIT DROP")
        if table.num_rows:
            with running(lambda: self._stopped):
                self._cursor.adbc_ingest(name, table, mode="append", temporary=True)
        self._run(f"ANALYZE {_quoted(name)}")
        self._changed = True

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query to Arrow. A join that one reads is kept, since others will."""
        made = lowered(query)
        if self.temporary:
            self._keep_joins(made)
        found = self._sent(made)
        self.fetched += found.num_rows
        return found

    def save(self, query: exp.Query, path: Path) -> None:
        """Stream the rows through the embedded engine, which writes files of every engine alike."""
        with self._guarded(), running(lambda: self._stopped):
            self._cursor.execute(text(self._with_views(lowered(query))))
            self._embedded.save_stream(streamed(self._cursor.fetch_record_batch()), path)

    def close(self) -> None:
        """Close the connection: the server forgets whatever was made in it."""
        _OPEN.discard(self)
        self._ended()
        if self._reader is not None:
            self._reader.close()

    def cancel(self) -> None:
        """Stop the query that is running, if any, from another thread."""
        from adbc_driver_manager import Error

        self._stopped = True
        with suppress(Error):
            self._cursor.adbc_cancel()

    # The release's table.

    def _table(self, name: str) -> catalog.Table:
        self._execute(f"SET LOCAL search_path = {self._path}" if self._path else "SET LOCAL search_path = ''")
        with self._guarded(), reading(name, lambda: self._stopped):
            found = catalog.find(lambda query: self._answer(query).to_pylist(), name)
        self._execute(f"SET LOCAL search_path = {_SETTINGS['search_path']}")
        return found

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
        self._insist_types(title, f"{name}_read", wanted)
        typed = [
            exp.alias_(_cast(exp.column(column, quoted=True), wanted.get(column)), column, quoted=True)
            for column in (*cells, *filter(None, [row]))
        ]
        self.view(name, exp.select(*typed).from_(exp.to_table(f"{name}_read")))
        return {column: wanted.get(column, kind) for column, (_, kind) in cells.items()}

    def _scales(self, title: str, table: catalog.Table, chosen: Sequence[catalog.Column]) -> dict[str, int]:
        """What is to be known of cells before they are read, each time that other columns are asked for."""
        asked = (title, tuple(one.name for one in chosen))
        if asked not in self._facts:
            with self._guarded(), reading(title, lambda: self._stopped):
                (told,) = self._answer(catalog.facts(table, chosen)).to_pylist()
            if not told["any"]:
                raise NoRows(Mistake(title, "expected at least one row; found none"))
            self._facts[asked] = catalog.scales(title, chosen, told)
        return self._facts[asked]

    def _insist_types(self, title: str, source: str, wanted: Mapping[str, ColumnType]) -> None:
        """That all cells fit the types that were asked for. Raises BadInput that says how many do not."""
        mistakes = []
        for column, kind in wanted.items():
            if kind.is_text:
                continue
            cell = exp.column(column, quoted=True)
            lost = exp.and_(
                exp.Not(this=exp.Is(this=cell, expression=exp.Null())),
                exp.Is(this=_cast(cell.copy(), kind), expression=exp.Null()),
            )
            query = exp.select(exp.alias_(exp.Count(this=exp.Star()), "n")).from_(exp.to_table(source)).where(lost)
            (told,) = self.fetch(query).to_pylist()
            if told["n"]:
                word = next(word for word, sql in SQL_TYPES.items() if sql == kind.sql)
                are = "cell that is" if told["n"] == 1 else "cells that are"
                mistakes.append(
                    Mistake(f"types.{column}", f"expected {word} in {title}; found {told['n']:,} {are} not")
                )
        if mistakes:
            raise BadInput(mistakes)

    # How queries are sent.

    @property
    def _embedded(self) -> DuckDBEngine:
        if self._reader is None:
            self._reader = DuckDBEngine(self._files)
        return self._reader

    def _keep(self, name: str, query: exp.Query) -> None:
        catalog.insist_names(name, query.named_selects)
        self._views[name] = query
        if query.find(exp.Join):
            self._joined.add(name)

    def _keep_joins(self, query: exp.Query) -> None:
        """Joins that a query reads become tables, those inside of others first: each is computed once."""
        for table in list(query.find_all(exp.Table)):
            if not table.db and table.name in self._joined:
                made = self._views[table.name]
                self._keep_joins(made)
                self._create(table.name, made)
                self._joined.discard(table.name)
                del self._views[table.name]

    def _create(self, name: str, made: exp.Query) -> None:
        """What is computed once, counted so that plans know how large it is."""
        self._run(f"CREATE TEMPORARY TABLE {_quoted(name)} ON COMMIT DROP AS {text(self._with_views(made))}")
        self._run(f"ANALYZE {_quoted(name)}")
        self._changed = True

    def _with_views(self, query: exp.Query) -> exp.Query:
        """A query with those that it reads, each before those that read it."""
        needed: dict[str, exp.Query] = {}

        def need(tree: exp.Query) -> None:
            for table in tree.find_all(exp.Table):
                if not table.db and table.name in self._views and table.name not in needed:
                    need(self._views[table.name])
                    needed[table.name] = self._views[table.name]

        need(query)
        if not needed:
            return query
        ctes = [
            exp.CTE(this=one.copy(), alias=exp.TableAlias(this=exp.to_identifier(name)),
                    materialized=False if self.temporary else None)
            for name, one in needed.items()
        ]  # fmt: skip
        made = query.copy()
        made.set("with_", exp.With(expressions=ctes))
        return made

    def _sent(self, query: exp.Query) -> pa.Table:
        with self._guarded(), running(lambda: self._stopped):
            return self._answer(query)

    def _answer(self, query: exp.Query) -> pa.Table:
        self._cursor.execute(text(self._with_views(query)))
        return from_server(self._cursor.fetch_arrow_table())

    def _told(self, sql: str) -> list[dict[str, Any]]:
        with running(lambda: self._stopped):
            self._cursor.execute(sql)
            rows: list[dict[str, Any]] = self._cursor.fetch_arrow_table().to_pylist()
        return rows

    def _run(self, sql: str) -> None:
        with self._guarded():
            self._execute(sql)

    def _execute(self, sql: str) -> None:
        with running(lambda: self._stopped):
            self._cursor.execute(sql)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """A query that is refused takes nothing with it: what was made before it is still there."""
        if self._changed or not self._saved:
            if self._saved:
                self._execute("RELEASE SAVEPOINT before_query")
            self._execute("SAVEPOINT before_query")
            self._changed, self._saved = False, True
        try:
            yield
        except (BadInput, UnfitQuery):
            self._execute("ROLLBACK TO SAVEPOINT before_query")
            raise


def _cast(cell: exp.Expr, kind: ColumnType | None) -> exp.Expr:
    """A cell in a type that was asked for: as it is, if that is the type it has."""
    if kind is None:
        return cell
    return exp.cast(cell, TEXT.sql) if kind.is_text else try_cast(cell, kind)


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql(POSTGRES)
