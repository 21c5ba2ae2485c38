"""What DuckDB says, in our words: one line that quotes no cell, and names the file that is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import duckdb

from deniable.engines.duckdb_files import complaint, record_of
from deniable.engines.tables import PLAIN, TableFiles, Writing, line_of
from deniable.errors import BadInput, EngineError, Mistake, UnfitQuery

_UNREADABLE = (duckdb.InvalidInputException, duckdb.IOException, duckdb.SerializationException)


@contextmanager
def reading(
    title: str, files: TableFiles | None, written: Writing = PLAIN, culprit: Callable[[str], str] = lambda _: ""
) -> Iterator[None]:
    """Turn what is said of a table into a mistake; `culprit` is told it, and says which of the files it is about."""
    try:
        with _heard():
            yield
    except duckdb.Error as error:
        text, where = str(error), title
        record = record_of(text)
        if files and (record or len(files.paths) > 1):
            where = culprit(text) or (files.paths[0] if record else title)
        if files and record:
            where = f"{where}:{line_of(where, files.delimiter, record, written)}"
        raise BadInput(Mistake(where, complaint(text, files))) from None


@contextmanager
def running(damaged: Callable[[], str]) -> Iterator[None]:
    """Turn a failed query into an EngineError, or into a mistake about the file that `damaged` finds. Its message is
    not repeated: it may quote a cell, or a constant of a condition that is one."""
    try:
        with _heard():
            yield
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise UnfitQuery(f"duckdb: the query failed ({type(error).__name__})") from None
    except duckdb.OutOfMemoryException:
        raise EngineError("duckdb: out of memory") from None
    except (duckdb.Error, OSError) as error:
        path = damaged() if isinstance(error, _UNREADABLE) or type(error) is duckdb.Error else ""
        if path:
            raise BadInput(Mistake(path, "expected a whole file; found one that is damaged")) from None
        kind = UnfitQuery if isinstance(error, duckdb.DataError) else EngineError
        raise kind(f"duckdb: the query failed ({type(error).__name__})") from None


@contextmanager
def _heard() -> Iterator[None]:
    """Ctrl-C, as the database says that it was pressed, or the driver itself; anything else stays what it is."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None
