"""What PostgreSQL says, in our words: one line that quotes no cell and no credential.

A server quotes cells in its messages ("invalid input syntax for type integer: …", DETAIL), and the driver adds the
query, so nothing of them is repeated but what the state's five characters stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from deniable.errors import BadInput, EngineError, Mistake, UnfitQuery

_KINDS = {  # by how the state begins, the longest first
    "57014": "the query was cancelled on the server, by a time-out or by somebody",
    "57P": "the server was shut down",
    "53100": "the server's disk is full",
    "53200": "the server is out of memory",
    "53300": "the server has no connection left",
    "53": "the server has no resources left",
    "25006": "the server lets nothing be written, not even temporary tables",
    "40": "the server gave the transaction up",
    "42501": "permission denied",
    "08": "the server went away",
    "58": "the server failed",
    "XX": "the server failed",
}
_UNFIT = ("22", "42804", "42883", "42846", "42P18", "42725")  # values of these types, and operators for them
_GONE = ("closed the connection", "no connection to the server", "connection not open", "SSL SYSCALL", "not connected")
_REFUSED = {
    "password authentication failed": "the password is wrong",
    "no password supplied": "no password was given",
    "Connection refused": "nobody listens there",
    "could not translate host name": "there is no such host",
    "timeout expired": "nobody answered in time",
    "No such file or directory": "nobody listens there",
    "no pg_hba.conf entry": "the server lets nobody in from here",
    "SSL": "the connection cannot be encrypted as asked",
    "service": "there is no such service, or its file cannot be read",
    "role": "there is no such role",
    "database": "there is no such database",
}


def masked(address: str) -> str:
    """An address without what only its owner knows: neither password nor options."""
    try:
        parts = urlsplit(address)
        user = f"{parts.username}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return f"{address.partition('://')[0]}://…"
    if "@" in (parts.hostname or "") or parts.netloc.count("@") > 1:
        return f"{parts.scheme}://…"
    return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}"


def refused(address: str, error: Exception) -> EngineError:
    """Why nobody could connect, as far as the driver's words are known."""
    said = str(error)
    why = next((ours for theirs, ours in _REFUSED.items() if theirs in said), "the server refused, or is not there")
    return EngineError(f"{masked(address)}: {why}")


@contextmanager
def running(interrupted: Callable[[], bool]) -> Iterator[None]:
    """Turn what the driver raises into an error of ours; `interrupted` says whether we have stopped it ourselves."""
    from adbc_driver_manager import Error

    try:
        yield
    except Error as error:
        if interrupted():
            raise KeyboardInterrupt from None
        raise _ours(error) from None


def _ours(error: Exception) -> EngineError:
    state = getattr(error, "sqlstate", None) or ""
    if not state and any(words in str(error) for words in _GONE):
        return EngineError("postgresql: the server went away")
    if state.startswith(_UNFIT):
        return UnfitQuery(f"postgresql: the query failed ({state})")
    why = next((words for start, words in _KINDS.items() if state.startswith(start)), "the query failed")
    return EngineError(f"postgresql: {why}{f' ({state})' if state else ''}")


@contextmanager
def reading(title: str, interrupted: Callable[[], bool]) -> Iterator[None]:
    """A name that is none, or a table that may not be read, is the user's mistake."""
    from adbc_driver_manager import Error

    try:
        yield
    except Error as error:
        state = getattr(error, "sqlstate", None) or ""
        if interrupted():
            raise KeyboardInterrupt from None
        if state == "42501":
            raise BadInput(Mistake(title, "expected a table that may be read; found no permission to")) from None
        if state.startswith(("42", "0A", "22")):
            raise BadInput(
                Mistake(title, 'expected schema.table, names in "…" as SQL has them; found another')
            ) from None
        raise _ours(error) from None
