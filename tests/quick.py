"""What makes tests quick and none weaker: how trees of SQL are copied, a tenth of the time of small commands."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot.expressions import core

if TYPE_CHECKING:
    from deniable.engines.duckdb import Database


def copy_places_flatly() -> None:
    """In this process: where a token stood is a dict of numbers, and what was remarked mostly an empty list. Who copies
    a tree need not look through them."""
    vars(core)["deepcopy"] = _copied


def _copied(part: Any) -> Any:
    """A copy of what a tree has beside its nodes."""
    return part.copy() if type(part) is dict or (type(part) is list and not part) else deepcopy(part)


def shared_database(sealed: Callable[[frozenset[str]], Database]) -> Callable[[frozenset[str]], Database]:
    """In place of databases that are each `sealed` for their files, one for each process: it is shut to no file."""
    opened: dict[int, Database] = {}

    @wraps(sealed)
    def shared(allowed: frozenset[str]) -> Database:
        here = os.getpid()
        if here not in opened or not _answers(opened[here]):
            opened[here] = _open()
        return replace(opened[here], allowed=allowed)

    return shared


def _open() -> Database:
    from deniable.engines.duckdb import _SETTINGS, Database
    from deniable.private_folders import make_folder

    spill = make_folder()
    connection = duckdb.connect(config={**_SETTINGS, "temp_directory": str(spill)})
    return Database(connection, spill, frozenset())


def _answers(database: Database) -> bool:
    try:
        database.connection.execute("SELECT 1")
    except duckdb.Error:
        return False
    return True
