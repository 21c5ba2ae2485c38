"""What makes cases cheap and none weaker: a process that tries bad input does without what bad input has no part in.

Cases that follow each other are about one kind of release, whose database stays open; it has one thread, since tables
have twelve rows. Garbage is collected between cases. Nothing is synced: that is for those who are killed, and they do.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Sequence
from typing import TypeVar

from deniable import private_folders
from deniable.engines import duckdb as engine
from tests.quick import copy_places_flatly

T = TypeVar("T")
_TOGETHER = 25  # cases about one kind of release


class Dice(random.Random):
    """The choices of a case, and its number."""

    def __init__(self, kind: str, number: int) -> None:
        super().__init__(f"{kind}:{number}")
        self.number = number

    def turn(self, options: Sequence[T]) -> T:
        """One of some, the same for cases that follow each other."""
        return options[self.number // _TOGETHER % len(options)]


def cheaply() -> None:
    """From now on, in this process."""
    engine._SETTINGS["threads"] = 1
    os.fsync = lambda fd: None
    copy_places_flatly()
    gc.freeze()
    gc.disable()


def kept_folders() -> list[str]:
    """Private folders that nobody has a use for, once garbage is collected: open databases have one each."""
    gc.collect()
    used = {database.spill for database in engine._DATABASES.values()}
    here = os.getpid()  # a fork has no part in what its parent holds
    return sorted(path.name for path, (maker, _) in private_folders._HELD.items() if maker == here and path not in used)


def close_databases() -> list[str]:
    """Close every database that waits for the next engine; the private folders that are left then."""
    for key in [key for key in engine._DATABASES if key[0] == os.getpid()]:
        del engine._DATABASES[key]
    return kept_folders()
