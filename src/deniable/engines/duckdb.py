"""The embedded engine: DuckDB, in memory, spilling to a private folder when it must.

A process has one database, since opening one costs more than many an analysis; an engine is a connection to it.
Everything an engine makes is temporary: other connections do not see it, and it goes when the engine is closed.
"""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from deniable.engines.dialect import OURS, ColumnType, column_type
from deniable.engines.guesses import cell_of, guess
from deniable.engines.plain_names import PlainNames
from deniable.engines.tables import PLAIN, SQL_TYPES, TableFiles, Writing, find_files, line_of, recode
from deniable.errors import BadInput, EngineError, Mistake, NoRows, UnfitQuery
from deniable.private_folders import make_folder, private_folder, remove_folder

if TYPE_CHECKING:
    import pyarrow as pa

_DATABASES: dict[int, Database] = {}  # by process: what was forked must not use its parent's
_OPEN: weakref.WeakSet[DuckDBEngine] = weakref.WeakSet()
_OPENING = threading.Lock()
_NUMBERS = count(1)
_ORDERED = threading.Lock()  # whether rows keep their order is a setting of the whole database


@dataclass(frozen=True, eq=False)
class Database:
    """A database, and its folder for spills that only this user can read."""

    connection: duckdb.DuckDBPyConnection
    spill: Path


def _database() -> Database:
    """The database of this process."""
    here = os.getpid()
    if here not in _DATABASES:
        spill = make_folder()
        connection = duckdb.connect(config={"temp_directory": str(spill), "preserve_insertion_order": "false"})
        weakref.finalize(connection, remove_folder, spill)
        _DATABASES[here] = Database(connection, spill)
    return _DATABASES[here]


def _connect() -> tuple[duckdb.DuckDBPyConnection, Path]:
    """A connection of its own, and its folder; after a failure that ended the database, to a new one."""
    with _OPENING:
        try:
            connection = _database().connection.cursor()
            connection.execute("SET enable_progress_bar = false")
        except duckdb.Error:
            _DATABASES.pop(os.getpid(), None)
            connection = _database().connection.cursor()
            connection.execute("SET enable_progress_bar = false")
        return connection, _database().spill / f"names-{next(_NUMBERS)}"


def interrupt() -> None:
    """Stop the queries of all engines of this process; they raise KeyboardInterrupt where they run."""
    for engine in list(_OPEN):
        with suppress(duckdb.Error):  # closed
            engine._connection.interrupt()


def open_engine(_: str) -> DuckDBEngine:
    """The embedded engine; there is nothing to say where it is."""
    return DuckDBEngine()


class DuckDBEngine:
    """A connection to the in-memory DuckDB of this process."""

    def __init__(self) -> None:
        self._connection, names = _connect()
        self._names = PlainNames(names)
        _OPEN.add(self)

    def attach(
        self,
        table: Any,
        name: str,
        *,
        text: Sequence[str] | None,
        types: Mapping[str, str],
        folder: Path,
        row: str = "",
        title: str = "",
        written: Writing = PLAIN,
    ) -> dict[str, ColumnType]:
        """Make a file, frame, Arrow table or relation known under a name."""
        if row:
            with self._in_order():
                columns = self._attach(table, f"{name}_read", text, types, folder, title, written)
                numbered = exp.alias_(exp.Window(this=exp.RowNumber()), row, quoted=True)
                self.store(name, exp.select("*", numbered).from_(f"{name}_read"))
        else:
            columns = self._attach(table, name, text, types, folder, title, written)
        return {column: column_type(kind) for column, kind in columns.items()}

    def _attach(
        self, table: Any, name: str, text: Sequence[str] | None, types: Mapping[str, str], folder: Path, title: str,
        written: Writing,
    ) -> dict[str, str]:  # fmt: skip
        if isinstance(table, (str, os.PathLike)):
            files, title = find_files(table, folder, written), os.fspath(table)
            if files.kind == "csv":
                columns = self._attach_csv(files, name, title, text, types, written)
            else:
                columns = self._attach_parquet(files, name, title, types)
        else:
            if isinstance(table, duckdb.DuckDBPyRelation):
                table = table.to_arrow_table()  # a relation belongs to the connection that made it
            elif hasattr(table, "read_all"):
                table = table.read_all()  # a reader can be read once, and we read more often
            columns = self._attach_object(table, name, title or name, types)
        if hasattr(table, "__len__") and not isinstance(table, str):
            empty = len(table) == 0
        else:
            empty = self.fetch(exp.select("1").from_(exp.to_table(name)).limit(1)).num_rows == 0
        if empty:
            raise NoRows(Mistake(title or name, "expected at least one row; found none"))
        return columns

    def _attach_object(self, table: Any, name: str, title: str, types: Mapping[str, str]) -> dict[str, str]:
        """A table in memory."""
        known = f"{name}_object" if types else name
        with self._reading(title):
            self._connection.register(known, table)
            source = self._connection.sql(exp.select("*").from_(known).sql(OURS))
            columns = {column: str(kind) for column, kind in zip(source.columns, source.types, strict=True)}
        return self._attach_typed(exp.select("*").from_(known), name, title, types) if types else columns

    def _attach_csv(
        self, files: TableFiles, name: str, title: str, text: Sequence[str] | None, types: Mapping[str, str],
        written: Writing,
    ) -> dict[str, str]:  # fmt: skip
        """Load every cell as text, then give each column a type that all cells come back from."""
        with self._reading(title, files, written), _as_utf8(files, written) as paths:
            reader = self._connection.read_csv(
                self._names.of(paths, files.kind, files.paths),  # type: ignore[arg-type]
                header=True,
                delimiter=files.delimiter,
                quotechar='"',
                escapechar='"',
                columns=dict.fromkeys(files.columns, "VARCHAR"),
                allow_quoted_nulls=False,
                auto_detect=False,
                hive_partitioning=False,
            )
            reader.query("arriving", f"CREATE OR REPLACE TEMP TABLE {name}_cells AS FROM arriving")
        wanted = {column: SQL_TYPES[kind] for column, kind in types.items() if column in files.columns}
        wanted |= {column: "VARCHAR" for column in files.columns if text is None or column in text}
        unknown = [column for column in files.columns if column not in wanted]
        guessed = guess(self._rows, f"{name}_cells", unknown, written.decimal)
        return self._typed_view(
            f"{name}_cells", name, title, {c: {**guessed, **wanted}[c] for c in files.columns}, wanted, written.decimal
        )

    def _attach_parquet(self, files: TableFiles, name: str, title: str, types: Mapping[str, str]) -> dict[str, str]:
        with self._reading(title, files):
            links = self._names.of(files.paths, files.kind, files.paths)
            paths = exp.Array(expressions=[exp.Literal.string(link) for link in links])
            alone = exp.PropertyEQ(this=exp.to_identifier("hive_partitioning"), expression=exp.false())
            source = exp.Anonymous(this="read_parquet", expressions=[paths, alone])
            read = exp.select("*").from_(exp.Table(this=source))
            self._connection.execute(read.limit(0).sql(OURS))
        return self._attach_typed(read, name, title, types)

    def _attach_typed(self, query: exp.Select, name: str, title: str, types: Mapping[str, str]) -> dict[str, str]:
        """A source whose columns have types of their own; `types` converts."""
        with self._reading(title):
            source = self._connection.sql(query.sql(OURS))
            found = {column: str(kind) for column, kind in zip(source.columns, source.types, strict=True)}
            wanted = {column: SQL_TYPES[kind] for column, kind in types.items() if column in found}
            self.view(f"{name}_typed" if wanted else name, query)
        if not wanted:
            return found
        own = [column for column in found if column not in wanted]  # whose types may have no name that is read again
        return self._typed_view(f"{name}_typed", name, title, {**found, **wanted}, wanted, own=own)

    def _typed_view(
        self, source: str, name: str, title: str, columns: Mapping[str, str], wanted: Mapping[str, str],
        decimal: str = ".", own: Collection[str] = (),
    ) -> dict[str, str]:  # fmt: skip
        """A view of the source with its types, after checking that asked-for ones fit; `own` have theirs already."""
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
                mistakes.append(Mistake(f"types.{column}", f"expected {kind} in {title}; found {count:,} {are} not"))
        if mistakes:
            raise BadInput(mistakes)
        kept = {column: exp.column(column, quoted=True) for column in own}
        cells = kept | {
            column: exp.cast(cell_of(column, kind, decimal), exp.DataType.build(kind, dialect=OURS))
            for column, kind in columns.items()
            if column not in kept
        }
        select = exp.select(*(exp.alias_(cells[column], column, quoted=True) for column in columns))
        self.view(name, select.from_(source))
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

    @contextmanager
    def _reading(self, title: str, files: TableFiles | None = None, written: Writing = PLAIN) -> Iterator[None]:
        """Turn what DuckDB says of a file into one line that quotes no cell of it."""
        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except RuntimeError as error:
            raise _interrupted(error) from None
        except duckdb.Error as error:
            text = str(error)
            where = title
            record = re.search(r"CSV Error on Line: (\d+)", text)
            if files and record:
                path = self._names.named_in(text) or files.paths[0]
                where = f"{path}:{line_of(path, files.delimiter, int(record.group(1)), written)}"
            raise BadInput(Mistake(where, _complaint(text, files))) from None

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
        with _running():
            self._connection.execute(tree.sql(OURS))

    def put(self, name: str, table: pa.Table) -> None:
        """Copy an Arrow table in (DuckDB would otherwise scan it through Python)."""
        self._connection.register("arriving", table)
        self.store(name, exp.select("*").from_("arriving"))
        self._connection.unregister("arriving")

    def fetch(self, query: exp.Query) -> pa.Table:
        """Run a query to Arrow."""
        with _running():
            return self._connection.sql(query.sql(OURS)).to_arrow_table()

    def save(self, query: exp.Query, path: Path) -> None:
        """COPY into a private folder beside the path, then rename: only its owner may read the file."""
        if path.suffix not in (".csv", ".parquet"):
            raise BadInput(Mistake("path", f"expected a path that ends in .csv or .parquet; found {path}"))
        with private_folder(path.parent) as folder:
            part = folder / f"result{path.suffix}"
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # the mode stays when it is filled
            with _running():
                self._connection.execute(_copy(query, part).sql(OURS))
            os.replace(part, path)

    def close(self) -> None:
        """Close the connection: whatever it made is gone."""
        self._connection.close()
        self._names.remove()

    def _rows(self, query: exp.Query) -> list[tuple[Any, ...]]:
        with _running():
            return self._connection.sql(query.sql(OURS)).fetchall()


def _copy(query: exp.Query, path: Path) -> exp.Copy:
    """COPY into a file that is there: of its own accord the database would write to another one beside it first."""
    chosen = {"FORMAT": exp.var(path.suffix[1:]), "USE_TMP_FILE": exp.false()}
    if path.suffix == ".csv":
        chosen["HEADER"] = exp.true()
    return exp.Copy(
        this=query.subquery(),
        kind=False,
        files=[exp.Literal.string(str(path))],
        params=[exp.CopyParameter(this=exp.var(name), expression=value) for name, value in chosen.items()],
    )


@contextmanager
def _as_utf8(files: TableFiles, written: Writing) -> Iterator[list[str]]:
    """The paths of text files as the engine reads them: for as long as that takes, copies in a private folder."""
    if written.is_utf8:
        yield list(files.paths)
        return
    with private_folder() as folder:
        yield recode(files.paths, written, folder)


def _complaint(text: str, files: TableFiles | None) -> str:
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if counts:
        return f"expected {counts.group(1)} cells in the row; found {counts.group(2)}"
    if "unterminated quote" in text:
        return "expected a closing quote at the end of the cell; found none"
    if "not utf-8" in text:
        return "expected UTF-8 text; found other bytes"
    if "line size" in text:
        return "expected lines of at most 2,000,000 bytes; found a longer one"
    if "state machine" in text:
        return "expected lines that all end alike, and quotes only around whole cells; found others"
    kind = f"a {files.kind} file" if files else "a frame, an Arrow table or a DuckDB relation"
    return f"expected {kind}; found something else"


def _interrupted(error: RuntimeError) -> BaseException:
    """How the driver itself says that Ctrl-C was pressed; anything else stays what it is."""
    return KeyboardInterrupt() if "interrupted" in str(error) else error


@contextmanager
def _running() -> Iterator[None]:
    """Turn a failed query into an EngineError. Its message is not repeated: it may quote a cell, or a constant of a
    condition that is one."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        raise _interrupted(error) from None
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.DataError) as error:
        raise UnfitQuery(f"duckdb: the query failed ({type(error).__name__})") from None
    except duckdb.OutOfMemoryException:
        raise EngineError("duckdb: out of memory") from None
    except (duckdb.Error, OSError) as error:
        raise EngineError(f"duckdb: the query failed ({type(error).__name__})") from None
