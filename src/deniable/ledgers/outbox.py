"""From the ledger to the folder: a release that is committed is written out byte for byte, by this run or the next."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deniable.errors import EngineError
from deniable.ledgers.file import Ledger
from deniable.ledgers.schema import files_table
from deniable.publish.staging import staged, sweep

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
    """Write the files of a committed release, all or none, and note that it was done."""
    files = read_files(ledger, release)
    try:
        with staged(folder, list(files)) as place:
            for name, content in files.items():
                (place / name).write_bytes(content)
    except OSError as error:
        raise EngineError(
            f"{folder}: release {release} is in the ledger, but could not be written out "
            f"({error.strerror or type(error).__name__}); the next run will write it"
        ) from None
    ledger.connection.execute("UPDATE releases SET written = true WHERE release = ?", [release])
    ledger.connection.execute("UPDATE releases SET state = NULL WHERE release < ? AND state IS NOT NULL", [release])


def sweep_out(folder: Path) -> None:
    """Remove what a run that was stopped left in a folder."""
    with suppress(OSError):
        sweep(folder)
        for name in FILES:
            (folder / f".{name}.part").unlink(missing_ok=True)  # of versions that wrote each file for itself
