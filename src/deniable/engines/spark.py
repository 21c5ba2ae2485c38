"""Spark: the analyses run where the table is, on `local[*]`, on a cluster, or in a session that somebody has.

An engine is a session of its own. What an analysis calls a view is a temporary view there; what it stores is computed
once and forgets how: kept by the one process where all is done by one, else written by the executors as Parquet into a
private folder, which outlives any of them. Files other than the release's table are read by the embedded engine and
handed over. What is saved is computed and written by the executors, in parts, which the embedded engine makes one file
of, some rows at a time.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from deniable.engines import spark_catalog as catalog
from deniable.engines.asked_types import as_asked, insist_types
from deniable.engines.dialect import TEXT, ColumnType
from deniable.engines.duckdb import DuckDBEngine
from deniable.engines.spark_dialect import lowered, text
from deniable.engines.spark_errors import reading, running
from deniable.engines.spark_folders import Shared, shared_folder
from deniable.engines.spark_rows import for_spark, streamed
from deniable.engines.spark_session import aside, base_session, is_local, log_level, own_session, silent
from deniable.engines.tables import PLAIN, Writing, type_of
from deniable.errors import BadInput, Mistake, NoRows

if TYPE_CHECKING:
    import pyarrow as pa

_OPEN: weakref.WeakSet[SparkEngine] = weakref.WeakSet()
_NUMBERS = count(1)


def open_engine(engine: Any, files: Iterable[str] = ()) -> SparkEngine:
    """An engine in the Spark of a master, in the one that there is (`spark`), or in a session."""
    return SparkEngine(engine, files)


def interrupt() -> None:
    """Stop the queries of all engines of this process."""
    for engine in list(_OPEN):
        engine.cancel()


class SparkEngine:
    """A session of Spark's, in which views and tables of ours are temporary."""

    has_tables = True

    def __init__(self, engine: Any, files: Iterable[str] = ()) -> None:
        self._files, self._reader, self._shared = list(files), None, None
        self._columns: dict[str, dict[str, str]] = {}  # of each relation that we made, and their types
        self._facts: dict[tuple[str, tuple[str, ...]], None] = {}
        self._stopped, self.fetched = False, 0  # rows that came to the driver in answers
        base, lent = base_session(engine)
        self._context, self._logged = base.sparkContext, ""
        with silent(), running():
            if lent:
                self._logged = log_level(self._context)
                self._context.setLogLevel("OFF")
            self._session = own_session(base)
        _OPEN.add(self)

    _reader: DuckDBEngine | None
    _shared: Shared | None

    # What is asked of every engine.

    def header(
        self, table: Any, *, folder: Path, title: str = "", written: Writing = PLAIN, own: bool = False
    ) -> tuple[str, ...]:
        """The columns of a table of Spark's; of a file or a table in memory, as the embedded engine says."""
        if own and isinstance(table, (str, os.PathLike)):
            name = os.fspath(table)
            return tuple(column.name for column in self._table(name, folder)[1])
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
        """A table of Spark's as a view; others are read by the embedded engine and handed over."""
        if own and isinstance(table, (str, os.PathLike)):
            return self._attach(os.fspath(table), name, types, columns, row, folder, texts=text is None)
        found = self._embedded.attach(
            table, name, text=text, types=types, folder=folder, columns=columns, row=row, title=title, written=written
        )
        rows = exp.select("*").from_(exp.to_table(name))
        self.put(name, self._embedded.fetch(rows.order_by(exp.column(row, quoted=True)) if row else rows))
        return found

    def view(self, name: str, query: exp.Query) -> None:
        """A temporary view."""
        with self._asking():
            self._know(name, self._made(query))

    def store(self, name: str, query: exp.Query) -> None:
        """What a query answers, without how it was computed."""
        with self._asking():
            self._know(name, self._kept(self._made(query)))

    def put(self, name: str, table: pa.Table) -> None:
        """Hand an Arrow table over."""
        with self._asking():
            self._know(name, self._session.createDataFrame(for_spark(table)))

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query to Arrow."""
        with self._asking():
            found = self._made(query).toArrow()
        self.fetched += found.num_rows
        return found

    def save(self, query: exp.Query, path: Path) -> None:
        """The executors compute and write the rows, in parts; the embedded engine writes one file of them, which is
        like those of every engine."""
        insist_ending(path)
        with self._asking():
            folder = self._folder.path(f"saved-{next(_NUMBERS)}")
            made = _writable(self._made(query))
            made.write.parquet(folder)
            parts = self._folder.parts(folder)
            schema = self._session.createDataFrame([], made.schema).toArrow().schema
        try:
            self._embedded.save_stream(streamed(parts, schema), path)
        finally:
            self._folder.remove(folder)

    def close(self) -> None:
        """Forget the session and whatever was kept."""
        _OPEN.discard(self)
        if self._shared is not None:
            self._shared.close()
            self._shared = None
        if self._logged:
            with suppress(Exception):
                self._context.setLogLevel(self._logged)
            self._logged = ""
        if self._reader is not None:
            self._reader.close()

    def cancel(self) -> None:
        """Stop the query that is running, if any, from another thread."""
        self._stopped = True
        with suppress(Exception):
            self._session.interruptAll()

    # The release's table.

    def _table(self, title: str, folder: Path) -> tuple[Any, tuple[catalog.Column, ...]]:
        with silent(), reading(title, lambda: self._stopped):
            frame = catalog.find(self._session, title, folder)
            return frame, catalog.columns_of(title, frame)

    def _attach(
        self,
        title: str,
        name: str,
        types: Mapping[str, str],
        columns: Collection[str] | None,
        row: str,
        folder: Path,
        *,
        texts: bool,
    ) -> dict[str, ColumnType]:
        """Columns have types of their own, which `types` converts; or all of them are asked for as text."""
        frame, there = self._table(title, folder)
        chosen = [one for one in there if columns is None or one.name in columns] or list(there[:1])
        stored = f"{name}_stored"
        with silent(), reading(title, lambda: self._stopped):
            placed = catalog.with_places(frame) if row else None
            self._know(stored, frame if placed is None else placed)
            self._look(title, stored, chosen)
            cells = {one.name: one.read() for one in chosen}
            own = [exp.alias_(cell, column, quoted=True) for column, (cell, _) in cells.items()]
            if not row:
                made = exp.select(*own).from_(exp.table_(stored, alias="stored"))
            elif placed is not None:
                files = f"{name}_files"
                self._know(files, self._kept(self._session.sql(text(catalog.before_files(stored)))))
                made = catalog.numbered(own, stored, files, row)
            else:  # equal rows are in any order
                keys = [exp.Ordered(this=cell.copy(), nulls_first=False) for cell, _ in cells.values()]
                number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=keys))
                numbers = exp.alias_(exp.cast(number, "BIGINT"), row, quoted=True)
                made = exp.select(*own, numbers).from_(exp.table_(stored, alias="stored"))
            read = f"{name}_read" if types or texts else name
            self._know(read, self._session.sql(text(made)))
        wanted = dict.fromkeys(cells, TEXT) if texts else {}
        wanted |= {column: type_of(kind) for column, kind in types.items() if column in cells and not texts}
        if read != name:
            insist_types(self.fetch, title, read, wanted)
            typed = [
                exp.alias_(as_asked(exp.column(column, quoted=True), wanted.get(column)), column, quoted=True)
                for column in (*cells, *filter(None, [row]))
            ]
            self.view(name, exp.select(*typed).from_(exp.to_table(read)))
        return {column: wanted.get(column, kind) for column, (_, kind) in cells.items()}

    def _look(self, title: str, source: str, chosen: Sequence[catalog.Column]) -> None:
        """That there are rows, and no dates that others cannot have; asked once for the same columns."""
        asked = (title, tuple(one.name for one in chosen))
        if asked in self._facts:
            return
        (told,) = self._session.sql(text(catalog.facts(source, chosen))).toArrow().to_pylist()
        if not told["any"]:
            raise NoRows(Mistake(title, "expected at least one row; found none"))
        catalog.insist_dates(title, chosen, told)
        self._facts[asked] = None

    # How queries are sent.

    @property
    def _embedded(self) -> DuckDBEngine:
        if self._reader is None:
            self._reader = DuckDBEngine(self._files)
        return self._reader

    @property
    def _folder(self) -> Shared:
        if self._shared is None:
            self._shared = shared_folder(self._context)
        return self._shared

    def _made(self, query: exp.Query) -> Any:
        return self._session.sql(text(lowered(query, self._columns.get)))

    def _kept(self, frame: Any) -> Any:
        """Its rows, computed once, where no loss of an executor reaches them."""
        if is_local(self._context):
            return frame.localCheckpoint(eager=True)
        path = self._folder.path(f"stored-{next(_NUMBERS)}")
        _writable(frame).write.parquet(path)
        return self._session.read.schema(frame.schema).parquet(path)

    def _know(self, name: str, frame: Any) -> None:
        self._columns[name] = dict(frame.dtypes)
        frame.createOrReplaceTempView(f"`{name}`")

    @contextmanager
    def _asking(self) -> Iterator[None]:
        with silent(), running(lambda: self._stopped), aside(self._context):
            yield


def _writable(frame: Any) -> Any:
    """Columns that only ever hold nulls have no type, and files have no columns without one."""
    for column, kind in frame.dtypes:
        if kind == "void":
            frame = frame.withColumn(column, frame[f"`{column}`"].cast("int"))
    return frame


def insist_ending(path: Path) -> None:
    """Raises BadInput for a file that is neither."""
    if path.suffix not in (".csv", ".parquet"):
        raise BadInput(Mistake("path", f"expected a path that ends in .csv or .parquet; found {path}"))
