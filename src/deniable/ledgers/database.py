"""The database in which a run has a ledger open.

To begin one takes longer than to read a small ledger. So a run has one, in memory, to which the ledger's file is
attached: it can be let go of while it is copied, and opened again.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import duckdb

from deniable.ledgers.private import Held, damaged, logs_of

_NAME = "ledger"  # of what is attached
_MADE = "made"
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {  # or it fetches some for a foreign file
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
}


class Database:
    """One database; `connection` asks what is open in it, `path` is what messages call that."""

    def __init__(self, path: Path, spill: Path) -> None:
        self.path = path
        self._keeper = duckdb.connect(":memory:", config={**_SETTINGS, "temp_directory": str(spill)})
        self.connection = self._keeper

    def open(self, name: Path | None, *, read_only: bool = False) -> None:
        """A ledger by one of its names; without one, a new one in memory. Raises Held where another program has it."""
        try:
            self._attach(name, _NAME, "READ_ONLY" if read_only else "READ_WRITE")
            self.connection = self._keeper.cursor()
            self.connection.execute(f"USE {_NAME}")
        except duckdb.Error as error:
            if "lock on file" in str(error):
                raise Held from None
            raise damaged(self.path) from None

    def let_go(self) -> None:
        """Close what is open: all that was committed is in its file then, which nobody here holds any more."""
        self.connection.close()
        self._keeper.execute(f"DETACH DATABASE IF EXISTS {_NAME}")

    def shut_in(self, name: Path) -> None:
        """From here on nothing outside of the ledger of that name is read or written, whatever is in it."""
        try:
            self._keeper.execute("SET GLOBAL allowed_paths = $1", [[str(name), *map(str, logs_of(name))]])
            for setting in ("enable_external_access = false", "lock_configuration = true"):
                self._keeper.execute(f"SET GLOBAL {setting}")
        except duckdb.Error:  # what was read of a damaged ledger before this can have ended the database
            raise damaged(self.path) from None

    def write(self, name: Path) -> None:
        """All that was committed, into a file that is new and there for its owner alone."""
        self._attach(name, _MADE, "READ_WRITE")
        name.chmod(0o600)
        self._keeper.execute(f"COPY FROM DATABASE {_NAME} TO {_MADE}")
        self._keeper.execute(f"DETACH {_MADE}")

    def close(self) -> None:
        """Let go of everything."""
        with suppress(duckdb.Error):  # ended already
            self.let_go()
        self._keeper.close()

    def _attach(self, name: Path | None, known: str, mode: str) -> None:
        quoted = ":memory:" if name is None else str(name).replace("'", "''")
        self._keeper.execute(f"ATTACH '{quoted}' AS {known} (TYPE DUCKDB, {mode})")
