"""A connection to a server and the one transaction in it: statements go there, Arrow comes back.

It stands on the driver's lower layer: the upper one imports pandas and polars wherever they are installed, which takes
half a second at each start.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from deniable.engines.postgres_errors import reading, refused, running
from deniable.engines.postgres_rows import from_server
from deniable.errors import BadInput, UnfitQuery

if TYPE_CHECKING:
    import pyarrow as pa

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
    "enable_nestloop": "off",  # how many rows match by several columns is guessed to be one, whatever they are
}
_MEMORY = 64 << 20  # bytes that a step of a query may take before it spills, unless the server allows more


class Connection:
    """One that is open, with a transaction that is never committed."""

    temporary: bool  # whether tables of its own may be made

    def __init__(self, address: str) -> None:
        import adbc_driver_postgresql
        from adbc_driver_manager import AdbcConnection, AdbcStatement, Error

        self._stopped = self._changed = self._saved = False
        self._parts: list[Any] = []  # what is to be closed, the last first
        self._ended = weakref.finalize(self, _end, self._parts)
        try:
            self._parts.append(adbc_driver_postgresql.connect(address))
            self._parts.append(AdbcConnection(self._parts[-1]))
        except Error as error:
            self.close()
            raise refused(address, error) from None
        self._parts.append(AdbcStatement(self._parts[-1]))
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """One snapshot for everything; names are looked up as the role has them before that is changed."""
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
        (told,) = self.told(
            "SELECT has_database_privilege(current_database(), 'TEMP') AND NOT pg_is_in_recovery() AS temporary, "
            "current_setting('transaction_read_only') = 'on' AS read_only, current_setting('search_path') AS path, "
            "pg_size_bytes(current_setting('work_mem')) AS memory"
        )
        self.temporary, self._path = told["temporary"], told["path"]
        if self.temporary and told["read_only"]:
            self.run("SET TRANSACTION READ WRITE")
        memory = {"work_mem": f"{_MEMORY >> 10}kB"} if told["memory"] < _MEMORY else {}
        self._set(_SETTINGS | memory)

    def _set(self, settings: Mapping[str, str]) -> None:
        """Until the transaction ends."""
        calls = (f"set_config('{name}', '{_doubled(value)}', true) AS {name}" for name, value in settings.items())
        self.told(f"SELECT {', '.join(calls)}")

    @contextmanager
    def as_the_role_has_names(self) -> Iterator[None]:
        """Tables are looked up where the role would find them."""
        self._set({"search_path": self._path})
        yield
        self._set({"search_path": _SETTINGS["search_path"]})

    def run(self, sql: str) -> None:
        """A statement that answers nothing."""
        self._statement.set_sql_query(sql)
        self._call(self._statement.execute_update)

    def read(self, sql: str, title: str = "") -> pa.Table:
        """All rows of a query; `title` is the user's table that it is about, if it may be wrong."""
        return from_server(self._call(self.stream(sql, title).read_all, title=title))

    def told(self, sql: str) -> list[dict[str, Any]]:
        """The same, of a few rows."""
        rows: list[dict[str, Any]] = self.read(sql).to_pylist()
        return rows

    def stream(self, sql: str, title: str = "") -> Any:
        """The rows of a query as they come, as the driver gives them."""
        from adbc_driver_manager._reader import AdbcRecordBatchReader  # whose errors say what the server said

        self._statement.set_sql_query(sql)
        handle, _ = self._call(self._statement.execute_query, title=title)
        return self._call(AdbcRecordBatchReader._import_from_c, handle.address, title=title)

    def types(self, sql: str) -> dict[str, str]:
        """The columns that a query would have, and the server's words for their types."""
        import pyarrow as pa

        self._statement.set_sql_query(sql)
        schema = pa.schema(self._call(self._statement.execute_schema))
        return {field.name: (field.metadata or {}).get(b"POSTGRESQL:type", b"").decode() for field in schema}

    def append(self, name: str, table: pa.Table) -> None:
        """Rows into a temporary table that is there."""
        from adbc_driver_manager import AdbcStatement

        with AdbcStatement(self._parts[1]) as statement:
            target = {"target_table": name, "mode": "adbc.ingest.mode.append", "temporary": "true"}
            statement.set_options(**{f"adbc.ingest.{key}": value for key, value in target.items()})
            statement.bind_stream(table)
            self._call(statement.execute_update)

    def changed(self) -> None:
        """What was made until now is to be there still, whatever is refused later."""
        self._changed = True

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """A query that is refused takes nothing with it: what was made before it is still there."""
        if self._changed or not self._saved:
            if self._saved:
                self.run("RELEASE SAVEPOINT before_query")
            self.run("SAVEPOINT before_query")
            self._changed, self._saved = False, True
        try:
            yield
        except (BadInput, UnfitQuery):
            self.run("ROLLBACK TO SAVEPOINT before_query")
            raise

    def stopped(self) -> bool:
        """Whether we have stopped it ourselves."""
        return self._stopped

    def cancel(self) -> None:
        """Stop the query that is running, if any, from another thread."""
        from adbc_driver_manager import Error

        self._stopped = True
        with suppress(Error, IndexError):
            self._parts[1].cancel()

    def close(self) -> None:
        """The server forgets whatever was made."""
        self._ended()

    @property
    def _statement(self) -> Any:
        return self._parts[2]

    def _call(self, work: Callable[..., Any], *arguments: object, title: str = "") -> Any:
        """Something that waits for the server, and that Ctrl-C cancels there."""
        from adbc_driver_manager import _lib

        with reading(title, self.stopped) if title else running(self.stopped):
            waiting = getattr(_lib, "_blocking_call", None)
            return waiting(work, arguments, {}, self.cancel) if waiting else work(*arguments)


def _end(parts: list[Any]) -> None:
    """Leave the server, also where nobody has closed the engine: the transaction would go on, and hold what it read."""
    from adbc_driver_manager import Error

    if len(parts) > 2:
        with suppress(Error):
            parts[2].set_sql_query("ROLLBACK")
            parts[2].execute_update()
    while parts:
        with suppress(Error, RuntimeError):
            parts.pop().close()


def _doubled(text: str) -> str:
    return text.replace("'", "''")
