"""From the ledger to the folder: a release that is committed is written out byte for byte, by this run or the next."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from deniable.errors import EngineError
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger
from deniable.ledgers.private import damaged
from deniable.ledgers.receipts import RECEIPT, receipt_of
from deniable.ledgers.schema import files_table
from deniable.publish.staging import STAGING, staged, sweep

FILES = ("release.csv", "counterfeits.csv")
_LARGEST = 1 << 36  # bytes of a published file: a ledger that says more does not say what was entered


@frozen
class Pending:
    """A release that was committed and perhaps not written out: where to, and the digest of its table."""

    release: int
    folder: Path
    digest: str


def unwritten(ledger: Ledger) -> tuple[Pending, ...]:
    """The releases that earlier runs did not finish, the first one first."""
    query = "SELECT release, folder, digest FROM releases WHERE NOT written ORDER BY release"
    rows = ledger.connection.execute(query).fetchall()
    if not all(folder and Path(folder).is_absolute() for _, folder, _ in rows):  # as it was entered
        raise damaged(ledger.path)
    return tuple(Pending(release, Path(folder), digest) for release, folder, digest in rows)


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
    if not all(size is not None and 0 <= size <= _LARGEST for _, size, _ in rows):
        raise ValueError("size")
    return {name: pa.decompress(content, size, codec="zstd", asbytes=True) for name, size, content in rows}


def write_out(ledger: Ledger, release: int, folder: Path) -> None:
    """Write the files of a committed release with their receipt, all or none, and note that it was done."""
    files = read_files(ledger, release)
    if set(files) != set(FILES):  # a name that is in a ledger is no path
        raise damaged(ledger.path)
    receipt = receipt_of(ledger, release)
    if receipt is not None:
        files[RECEIPT] = receipt.text().encode()
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
    last = "release < (SELECT max(release) FROM releases)"
    ledger.connection.execute(f"UPDATE releases SET state = NULL WHERE {last} AND state IS NOT NULL")


def is_free(folder: Path) -> bool:
    """Whether a folder that only the ledger names may be written to: it is ours alone, or can be made in one."""
    ours = {*FILES, RECEIPT, STAGING, *(f".{name}.part" for name in FILES)}
    try:
        if not folder.exists():
            return folder.parent.is_dir()
        return not folder.is_symlink() and {one.name for one in folder.iterdir()} <= ours
    except OSError:
        return False


def sweep_out(folder: Path) -> None:
    """Remove what a run that was stopped left in a folder."""
    with suppress(OSError):
        sweep(folder)
        for name in FILES:
            (folder / f".{name}.part").unlink(missing_ok=True)  # of versions that wrote each file for itself
