"""The embedded engine: DuckDB, in memory, spilling to a private folder when it must.

An engine is a connection to a database that it shares with those for which the same files were named, since opening one
costs more than many an analysis. Everything an engine makes is temporary: other connections do not see it, and it goes
when the engine is closed. A database reads the files that were named and its own folder, and nothing else: whatever
finds its way into a query, it loads no extension and changes no setting.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from deniable.engines.asked_table import Asked
from deniable.engines.dialect import OURS, ColumnType, column_type
from deniable.engines.duckdb_arrow import fetched
from deniable.engines.duckdb_errors import reading, running
from deniable.engines.duckdb_files import (
    as_utf8,
    copy_into,
    outermost,
    parquet_fields,
    parquet_rows,
    parquet_source,
    selected,
    text_source,
    whole_file,
)
from deniable.engines.guesses import cell_of, guess
from deniable.engines.pipes import piped
from deniable.engines.plain_names import PlainNames, readable_names
from deniable.engines.tables import PLAIN, SQL_TYPES, TableFiles, Writing, find_files, is_short, of_columns
from deniable.errors import BadInput, Mistake, NoRows
from deniable.frozen import frozen
from deniable.private_folders import make_folder, private_folder, remove_folder

if TYPE_CHECKING:
    import pyarrow as pa

# By process, since what was forked must not use its parent's, and by the files that may be read.
_DATABASES: dict[tuple[int, frozenset[str]], Database] = {}
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "preserve_insertion_order": False,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
}
_OPEN: weakref.WeakSet[DuckDBEngine] = weakref.WeakSet()
_OPENING = threading.Lock()
_NUMBERS = count(1)
_SMALL = 1_000_000  # cells
_SHORT = 1 << 18  # bytes of text, of which a second thread would only make more work
_ORDERED = threading.Lock()  # whether rows keep their order is a setting of the whole database


@frozen(eq=False)
class Database:
    """A database, its folder for spills that only this user can read, and the files that it may read beside."""

    connection: duckdb.DuckDBPyConnection
    spill: Path
    allowed: frozenset[str]


def _database(allowed: frozenset[str]) -> Database:
    """The database of this process for some files; of those for others, none is kept for later."""
    here = os.getpid(), allowed
    if here not in _DATABASES:
        for other in [key for key in _DATABASES if key[0] == here[0] and key[1]]:
            del _DATABASES[other]
        _DATABASES[here] = _sealed(allowed)
    return _DATABASES[here]


def _sealed(allowed: frozenset[str]) -> Database:
    """A new database that is shut before anybody asks it anything."""
    spill = make_folder()
    threads = {"threads": 1} if is_short(allowed, _SHORT) else {}
    connection = duckdb.connect(config={**_SETTINGS, **threads, "temp_directory": str(spill)})
    weakref.finalize(connection, remove_folder, spill)
    connection.execute("SET GLOBAL allowed_paths = $1", [sorted(allowed)])
    connection.execute("SET GLOBAL enable_external_access = false")  # which lets it keep its own folder
    with suppress(duckdb.CatalogException):  # versions that lock everything or nothing
        connection.execute("SET GLOBAL allowed_configs = ['enable_progress_bar', 'preserve_insertion_order']")
        connection.execute("SET GLOBAL lock_configuration = true")
    return Database(connection, spill, allowed)


def _connect(allowed: frozenset[str]) -> tuple[duckdb.DuckDBPyConnection, Database]:
    """A connection of its own; after a failure that ended the database, to a new one."""
    with _OPENING:
        try:
            connection = _database(allowed).connection.cursor()
            connection.execute("SET enable_progress_bar = false")
        except duckdb.Error:
            _DATABASES.pop((os.getpid(), allowed), None)
            connection = _database(allowed).connection.cursor()
            connection.execute("SET enable_progress_bar = false")
        return connection, _database(allowed)


def interrupt() -> None:
    """Stop the queries of all engines of this process; they raise KeyboardInterrupt where they run."""
    for engine in list(_OPEN):
        with suppress(duckdb.Error):  # closed
            engine._connection.interrupt()


def open_engine(_: str, files: Iterable[str] = ()) -> DuckDBEngine:
    """The embedded engine; there is nothing to say where it is."""
    return DuckDBEngine(files)


class DuckDBEngine:
    """A connection to an in-memory DuckDB of this process."""

    has_tables = False

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._connection, database = _connect(readable_names(files))
        self._database: Database | None = database  # which goes with the last of its engines
        self._folder = database.spill / f"engine-{next(_NUMBERS)}"
        self._names = PlainNames(self._folder, database.allowed)
        self._is_short = is_short(database.allowed, _SHORT)
        self._left: list[TableFiles] = []  # files that are read where they are, whenever they are asked
        _OPEN.add(self)

    def header(
        self, table: Any, *, folder: Path, title: str = "", written: Writing = PLAIN, own: bool = False
    ) -> tuple[str, ...]:
        """The columns of a file, frame, Arrow table or relation."""
        if isinstance(table, (str, os.PathLike)):
            files = find_files(table, folder, written)
            return files.columns if files.kind == "csv" else tuple(self._parquet_header(files, os.fspath(table)))
        if hasattr(table, "read_all"):  # a reader can be read once
            return tuple(table.schema.names)
        if isinstance(table, duckdb.DuckDBPyRelation):
            return tuple(table.columns)
        with self._reading(title):
            self._connection.register("looked_at", table)
            names = self._connection.sql("FROM looked_at").columns
            self._connection.unregister("looked_at")
        return tuple(names)

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
        """Make a file, frame, Arrow table or relation known under a name."""
        if row:
            with self._in_order():
                asked = Asked(f"{name}_read", title, text, types, columns, written)
                found = self._attach(table, folder, asked)
                numbered = exp.alias_(exp.Window(this=exp.RowNumber()), row, quoted=True)
                self.store(name, exp.select("*", numbered).from_(asked.name))
        else:
            found = self._attach(table, folder, Asked(name, title, text, types, columns, written))
        return {column: column_type(kind) for column, kind in found.items()}

    def _attach(self, table: Any, folder: Path, asked: Asked) -> dict[str, str]:
        read = asked.name
        if isinstance(table, (str, os.PathLike)):
            files, asked = find_files(table, folder, asked.written), replace(asked, title=os.fspath(table))
            read = f"{asked.name}_cells" if files.kind == "csv" else read  # none of whose columns has to be converted
            attach = self._attach_csv if files.kind == "csv" else self._attach_parquet
            found = attach(files, asked)
        else:
            if isinstance(table, duckdb.DuckDBPyRelation):
                table = table.to_arrow_table()  # a relation belongs to the connection that made it
            elif hasattr(table, "read_all"):
                table = table.read_all()  # a reader can be read once, and we read more often
            found = self._attach_object(table, replace(asked, title=asked.title or asked.name))
        if hasattr(table, "__len__") and not isinstance(table, str):
            empty = len(table) == 0
        else:
            empty = self.fetch(exp.select("1").from_(exp.to_table(read)).limit(1)).num_rows == 0
        if empty:
            raise NoRows(Mistake(asked.title or asked.name, "expected at least one row; found none"))
        return found

    def _attach_object(self, table: Any, asked: Asked) -> dict[str, str]:
        """A table in memory."""
        known = f"{asked.name}_object"
        with self._reading(asked.title):
            self._connection.register(known, of_columns(table, asked.columns))
            names = self._connection.sql(f'FROM "{known}"').columns
        return self._attach_typed(f'"{known}"', asked.chosen(names), asked)

    def _attach_csv(self, files: TableFiles, asked: Asked) -> dict[str, str]:
        """Load the cells as text, then give each column a type that all cells come back from."""
        cells, written = f"{asked.name}_cells", asked.written
        chosen = asked.chosen(files.columns)
        with self._reading(asked.title, files, written), as_utf8(files, written) as paths:
            source, columns = text_source(files, self._names.of(paths, files.kind, files.paths), chosen)
            query = f"SELECT {selected(chosen)} FROM {source}"
            self._connection.execute(f'CREATE OR REPLACE TEMP TABLE "{cells}" AS {query}', columns)
        wanted = {column: SQL_TYPES[kind] for column, kind in asked.types.items() if column in chosen}
        wanted |= {column: "VARCHAR" for column in chosen if asked.text is None or column in asked.text}
        guessed = guess(self._rows, cells, [column for column in chosen if column not in wanted], written.decimal)
        kinds = {**guessed, **wanted}
        return self._typed_view(cells, asked, {column: kinds[column] for column in chosen}, wanted)

    def _attach_parquet(self, files: TableFiles, asked: Asked) -> dict[str, str]:
        """Large files stay where they are; small ones are read once, since all their columns are bound at each look."""
        chosen = asked.chosen(self._parquet_header(files, asked.title))
        links = self._names.of(files.paths, files.kind, files.paths)
        with self._reading(asked.title, files):
            ((rows,),) = self._connection.sql(parquet_rows(links)).fetchall()
        kind = "TABLE" if rows * len(chosen) <= _SMALL else "VIEW"
        self._left += [files] if kind == "VIEW" else []
        return self._attach_typed(parquet_source(links), chosen, asked, files, kind)

    def _parquet_header(self, files: TableFiles, title: str) -> list[str]:
        """What the first file says of itself: to bind all of its columns takes longer."""
        links = self._names.of(files.paths, files.kind, files.paths)
        with self._reading(title, files):
            names = outermost(self._connection.sql(parquet_fields(links[0])).fetchall())
            if len({name.lower() for name in names}) == len(names):
                return names
            return self._connection.sql(f"FROM {parquet_source(links)}").columns  # which tells them apart

    def _attach_typed(
        self, source: str, chosen: Sequence[str], asked: Asked, files: TableFiles | None = None, kind: str = "VIEW"
    ) -> dict[str, str]:
        """A source whose columns have types of their own; `types` converts."""
        with self._reading(asked.title, files):
            wanted = {column: SQL_TYPES[kind] for column, kind in asked.types.items() if column in chosen}
            name = f"{asked.name}_typed" if wanted else asked.name
            query = f"SELECT {selected(chosen)} FROM {source}"
            self._connection.execute(f'CREATE OR REPLACE TEMP {kind} "{name}" AS {query}')
            read = self._connection.sql(f'FROM "{name}"')  # of a table faster than of all that its file has
            found = {column: str(kind) for column, kind in zip(chosen, read.types, strict=True)}
        if not wanted:
            return found
        own = [column for column in found if column not in wanted]  # whose types may have no name that is read again
        return self._typed_view(name, asked, {**found, **wanted}, wanted, own)

    def _typed_view(
        self,
        source: str,
        asked: Asked,
        columns: Mapping[str, str],
        wanted: Mapping[str, str],
        own: Collection[str] = (),
    ) -> dict[str, str]:
        """A view of the source with its types, after checking that asked-for ones fit; `own` have theirs already."""
        decimal = asked.written.decimal
        casts = {
            column: exp.TryCast(this=cell_of(column, kind, decimal), to=exp.DataType.build(kind, dialect=OURS))
            for column, kind in wanted.items()
            if kind != "VARCHAR"
        }
        mistakes = []
        for column, cast in casts.items():
            lost = exp.and_(
                exp.Not(this=exp.Is(this=exp.column(column, quoted=True), expression=exp.Null())),
                exp.Is(this=cast, expression=exp.Null()),
            )
            count = self._rows(exp.select(exp.Count(this=exp.Star())).from_(source).where(lost))[0][0]
            if count:
                kind = next(word for word, sql_type in SQL_TYPES.items() if sql_type == wanted[column])
                are = "cell that is" if count == 1 else "cells that are"
                what = f"expected {kind} in {asked.title}; found {count:,} {are} not"
                mistakes.append(Mistake(f"types.{column}", what))
        if mistakes:
            raise BadInput(mistakes)
        kept = {column: exp.column(column, quoted=True) for column in own}
        read = {kind for column, kind in columns.items() if column not in kept}
        types = {kind: exp.DataType.build(kind, dialect=OURS) for kind in read}
        cells = kept | {
            column: exp.Cast(this=cell_of(column, kind, decimal), to=types[kind].copy())
            for column, kind in columns.items()
            if column not in kept
        }
        listed = (exp.alias_(cells[column], column, quoted=True, copy=False) for column in columns)
        select = exp.select(*listed, copy=False)
        self.view(asked.name, select.from_(source))
        return dict(columns)

    @contextmanager
    def _in_order(self) -> Iterator[None]:
        """Rows keep the order of their file; otherwise nobody asks, and order costs time."""
        with _ORDERED:
            self._connection.execute("SET GLOBAL preserve_insertion_order = true")
            try:
                yield
            finally:
                self._connection.execute("SET GLOBAL preserve_insertion_order = false")

    def _reading(
        self, title: str, files: TableFiles | None = None, written: Writing = PLAIN
    ) -> AbstractContextManager[None]:
        def culprit(text: str) -> str:
            return self._names.named_in(text) or (self._unreadable(files) if files else "")

        return reading(title, files, written, culprit)

    def _running(self) -> AbstractContextManager[None]:
        return running(lambda: next(filter(None, map(self._unreadable, self._left)), ""))

    def _unreadable(self, files: TableFiles) -> str:
        """Which of these files cannot be read to its end, or nothing."""
        for path, link in zip(files.paths, self._names.of(files.paths, files.kind, files.paths), strict=True):
            try:
                self._connection.execute(*whole_file(files, link))
            except duckdb.Error:
                return path
        return ""

    def view(self, name: str, query: exp.Query) -> None:
        """CREATE OR REPLACE TEMP VIEW."""
        self._create("VIEW", name, query)

    def store(self, name: str, query: exp.Query) -> None:
        """CREATE OR REPLACE TEMP TABLE."""
        self._create("TABLE", name, query)

    def _create(self, kind: str, name: str, query: exp.Query) -> None:
        properties = exp.Properties(expressions=[exp.TemporaryProperty()])
        tree = exp.Create(
            this=exp.Table(this=exp.to_identifier(name, quoted=True)),
            kind=kind,
            replace=True,
            expression=query,
            properties=properties,
        )
        with self._running():
            self._connection.execute(tree.sql(OURS))

    def put(self, name: str, table: pa.Table) -> None:
        """Copy an Arrow table in (DuckDB would otherwise scan it through Python)."""
        self._connection.register("arriving", table)
        self.store(name, exp.select("*").from_("arriving"))
        self._connection.unregister("arriving")

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query to Arrow."""
        with self._running():
            return fetched(self._connection, query.sql(OURS), is_short=self._is_short)

    def save(self, query: exp.Query, path: Path) -> None:
        """COPY into a private folder beside the path, then rename: only its owner may read the file."""
        if path.suffix not in (".csv", ".parquet"):
            raise BadInput(Mistake("path", f"expected a path that ends in .csv or .parquet; found {path}"))
        with private_folder(path.parent) as folder:
            part, pipe = folder / f"result{path.suffix}", self._folder / f"pipe{path.suffix}"
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with self._running(), piped(pipe, part):
                self._connection.execute(copy_into(query, pipe).sql(OURS))
            os.replace(part, path)

    def save_stream(self, rows: pa.RecordBatchReader, path: Path) -> None:
        """Write rows that arrive from elsewhere, in their order."""
        self._connection.register("arriving", rows)
        with self._in_order():
            self.save(exp.select("*").from_("arriving"), path)

    def close(self) -> None:
        """Close the connection: whatever it made is gone."""
        self._connection.close()
        self._names.remove()
        self._database = None

    def _rows(self, query: exp.Query) -> list[tuple[Any, ...]]:
        with self._running():
            return self._connection.execute(query.sql(OURS)).fetchall()
