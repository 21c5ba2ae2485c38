"""From the ledger to the folder: a release that is committed is written out byte for byte, by this run or the next."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deniable.errors import EngineError
from deniable.ledgers.file import Ledger
from deniable.ledgers.schema import files_table

FILES = ("release.csv", "counterfeits.csv")


@dataclass(frozen=True)
class Pending:
    """A release that was committed and perhaps not written out: where to, and the digest of its table."""

    release: int
    folder: Path
    digest: str


def pending(ledger: Ledger) -> Pending | None:
    """The release that an earlier run did not finish, if there is one."""
    query = "SELECT release, folder, digest FROM releases WHERE NOT written ORDER BY release"
    rows = ledger.connection.execute(query).fetchall()
    return Pending(rows[0][0], Path(rows[0][1]), rows[0][2]) if rows else None


def read_files(ledger: Ledger, release: int) -> dict[str, bytes]:
    """What the release consists of, by file name."""
    import pyarrow as pa

    own = files_table(release)
    query = "SELECT table_name FROM duckdb_tables() WHERE table_name IN (?, 'files') ORDER BY table_name DESC"
    found = [name for (name,) in ledger.connection.execute(query, [own]).fetchall()]
    if not found:
        return {}
    of_release = "" if found[0] == own else f"WHERE release = {release}"  # once, all releases were in one table
    query = f"SELECT name, size, content FROM {found[0]} {of_release} ORDER BY name"
    rows = ledger.connection.execute(query).fetchall()
    return {name: pa.decompress(content, size, codec="zstd", asbytes=True) for name, size, content in rows}


def write_out(ledger: Ledger, release: int, folder: Path) -> None:
    """Write the files of a committed release, each in one step, and note that it was done."""
    files = read_files(ledger, release)
    is_new = not folder.exists()
    try:
        if is_new:
            folder.mkdir()
            folder.chmod(0o777 & ~ledger.umask)
        beside = {name: _beside(folder, name, content, 0o666 & ~ledger.umask) for name, content in files.items()}
        for name, path in beside.items():
            os.replace(path, folder / name)
    except OSError as error:
        sweep_out(folder, files)
        with suppress(OSError):
            if is_new:
                folder.rmdir()
        raise EngineError(
            f"{folder}: release {release} is in the ledger, but could not be written out "
            f"({error.strerror or type(error).__name__}); the next run will write it"
        ) from None
    ledger.connection.execute("UPDATE releases SET written = true WHERE release = ?", [release])


def sweep_out(folder: Path, names: Iterable[str] = FILES) -> None:
    """Remove what a run that was stopped left beside the files of a folder."""
    for name in names:
        with suppress(OSError):
            _part(folder, name).unlink()


def _part(folder: Path, name: str) -> Path:
    return folder / f".{name}.part"


def _beside(folder: Path, name: str, content: bytes, mode: int) -> Path:
    path = _part(folder, name)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    path.chmod(mode)
    return path
