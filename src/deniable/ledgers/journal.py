"""The journal: a second copy of the ledger beside it, made before the files of a release go out.

    hospital.ledger           the ledger
    hospital.ledger.journal   as it was when the last release was committed

A ledger that was restored from an older backup, or lost, is brought forward from it: the journal's releases begin with
those of the ledger. The other way round, the journal is made anew. Where neither begins with the other there are two
histories of one table, and nothing is published on either.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

import duckdb

from deniable.errors import BadInput, EngineError, Mistake, Reason
from deniable.ledgers import private
from deniable.ledgers.private import journal_of

_ATTACHED = "journal"
Releases = Sequence[tuple[object, ...]]


class Standing(Enum):
    """How a ledger stands to its journal."""

    SAME = "same"
    BEHIND = "behind"
    AHEAD = "ahead"  # or there is no journal


def standing(at: duckdb.DuckDBPyConnection, path: Path) -> Standing:
    """Compare a ledger that is open with its journal. Raises BadInput where they are two histories, or it is none."""
    journal = journal_of(path)
    if not journal.exists():
        return Standing.AHEAD
    mine = releases_of(at)
    try:
        quoted = str(journal).replace("'", "''")
        at.execute(f"ATTACH '{quoted}' AS {_ATTACHED} (READ_ONLY)")
        try:
            theirs = releases_of(at, _ATTACHED)
        finally:
            at.execute(f"DETACH {_ATTACHED}")
    except duckdb.Error:
        raise BadInput(Mistake(str(journal), Reason("again.journal_damaged", ledger=path.name))) from None
    common = min(len(mine), len(theirs))
    if mine[:common] != theirs[:common]:
        raise BadInput(Mistake(str(path), Reason("again.two_histories", journal=journal.name)))
    if len(mine) == len(theirs):
        return Standing.SAME
    return Standing.BEHIND if len(mine) < len(theirs) else Standing.AHEAD


def releases_of(at: duckdb.DuckDBPyConnection, database: str = "") -> Releases:
    """What tells one history from another."""
    place = f"{database}.main." if database else ""
    return at.execute(f"SELECT release, made, digest FROM {place}releases ORDER BY release").fetchall()


def bring_forward(path: Path, folder: Path) -> None:
    """Put the journal in the ledger's place. The ledger must be closed, and the folder, which is private, held."""
    with _copied(path, journal_of(path), folder) as copy:
        os.replace(copy, path)


def renew(path: Path, folder: Path) -> None:
    """Make the journal what the ledger is. The ledger must be closed, and the folder, which is private, held."""
    with _copied(path, path, folder) as copy:
        os.replace(copy, journal_of(path))


def recover(path: Path) -> None:
    """A ledger that is not there, from its journal; unless another run was faster."""
    with private.unnamed(path) as folder, _copied(path, journal_of(path), folder) as copy, suppress(FileExistsError):
        os.link(copy, path)


def forget(path: Path) -> None:
    """A release is about to be taken back: the journal must not bring it forward again."""
    journal_of(path).unlink(missing_ok=True)
    private.sync(path.parent)


@contextmanager
def _copied(path: Path, of: Path, folder: Path) -> Iterator[Path]:
    """A copy in a private folder, which gets its name meanwhile, or nothing of it stays."""
    copy = folder / "copy"
    try:
        shutil.copyfile(of, copy)
        copy.chmod(0o600)
        private.sync(copy)
        yield copy
        private.sync(path.parent)
    except OSError as error:
        told = error.strerror or type(error).__name__
        what = f"the ledger and its journal could not be made one ({told}); the next run goes on from here"
        raise EngineError(f"{path}: {what}") from None
    finally:
        copy.unlink(missing_ok=True)
