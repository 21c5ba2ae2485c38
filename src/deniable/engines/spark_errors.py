"""What Spark says, in our words: one line that quotes no cell.

Spark quotes cells, queries and the addresses of machines, so nothing of what it says is repeated but the five
characters of its state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from deniable.errors import BadInput, DeniableError, EngineError, Mistake, UnfitQuery

_UNFIT = ("22", "P0001", "42K09", "42804", "42846", "42883", "42822")  # cells of these types, and functions of them
_WHY = {  # by what stands in what Spark says, the first that does
    "OutOfMemoryError": "it is out of memory",
    "No space left on device": "its disk is full",
    "cancelled": "the query was cancelled",
    "ExecutorLostFailure": "executors were lost again and again",
    "SparkContext was stopped": "it was stopped",
    "SparkContext was shut down": "it was stopped",
    "stopped SparkContext": "it was stopped",
    "Permission denied": "it may not read or write what it has to",
    "AccessControlException": "it may not read or write what it has to",
}
_NOWHERE = ("42", "3F000")  # no such table, catalog or path, and names that can be none
_NONE = "no such table; expected a table of Spark's catalog, or a Parquet file or folder"
_TWICE = "expected names that differ in more than upper and lower case; found a column beside another"


@contextmanager
def running(interrupted: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Turn what Spark raises into an error of ours; `interrupted` says whether we have stopped it ourselves."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, OSError, EOFError) as error:
        if interrupted():
            raise KeyboardInterrupt from None
        raise _ours(error) from None


def _ours(error: Exception) -> DeniableError:
    state = _state(error)
    if state.startswith(_UNFIT):
        return UnfitQuery(f"spark: the query failed ({state})")
    said = str(error)
    gone = isinstance(error, (OSError, EOFError)) or type(error).__name__ == "Py4JNetworkError"
    why = next(
        (ours for theirs, ours in _WHY.items() if theirs in said), "it went away" if gone else "the query failed"
    )
    return EngineError(f"spark: {why}{f' ({state})' if state else ''}")


def _state(error: Exception) -> str:
    asked = getattr(error, "getSqlState", None)
    return (asked() or "") if asked is not None else ""


@contextmanager
def reading(title: str, interrupted: Callable[[], bool]) -> Iterator[None]:
    """A name that is none, or a table that may not be read, is the user's mistake."""
    from pyspark.errors import PySparkException

    try:
        with running(interrupted):
            try:
                yield
            except PySparkException as error:
                if _state(error).startswith(_NOWHERE):
                    raise BadInput(Mistake(title, _TWICE if _state(error) == "42711" else _NONE)) from None
                raise
    except EngineError as error:
        if "may not read" in str(error):
            raise BadInput(Mistake(title, "expected a table that may be read; found no permission to")) from None
        raise


@contextmanager
def starting(master: str) -> Iterator[None]:
    """Why there is no Spark: nobody answers at its address, or Java cannot run it."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, OSError) as error:
        said = str(error)
        if "JAVA_GATEWAY_EXITED" in said:
            raise EngineError(f"{master}: Spark could not be started; it runs in Java 17 or later") from None
        if "Could not parse Master URL" in said:
            raise EngineError(f"{master}: Spark knows no such master") from None
        raise EngineError(f"{master}: nobody answers there, or Spark could not be started") from None
