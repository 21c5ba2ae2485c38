"""From the ledger to the folder: a release that is committed is written out byte for byte, by this run or the next."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deniable.errors import EngineError
from deniable.ledgers.file import Ledger


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

    query = "SELECT name, size, content FROM files WHERE release = ? ORDER BY name"
    rows = ledger.connection.execute(query, [release]).fetchall()
    return {name: pa.decompress(content, size, codec="zstd", asbytes=True) for name, size, content in rows}


def write_out(ledger: Ledger, release: int, folder: Path) -> None:
    """Write the files of a committed release, each in one step, and note that it was done."""
    files = read_files(ledger, release)
    try:
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o777 & ~ledger.umask)
        beside = {name: _beside(folder, name, content, 0o666 & ~ledger.umask) for name, content in files.items()}
        for name, path in beside.items():
            os.replace(path, folder / name)
    except OSError as error:
        raise EngineError(
            f"{folder}: release {release} is in the ledger, but could not be written out "
            f"({error.strerror or type(error).__name__}); the next run will write it"
        ) from None
    ledger.connection.execute("UPDATE releases SET written = true WHERE release = ?", [release])


def _beside(folder: Path, name: str, content: bytes, mode: int) -> Path:
    handle, path = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(path, mode)
    except OSError:
        os.unlink(path)
        raise
    return Path(path)
