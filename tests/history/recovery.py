"""After a fault: is the ledger whole, and do the next runs finish what was begun and go on?"""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from deniable import api
from deniable.errors import BadInput
from tests.history.again import republish
from tests.history.faults import NAMES, Work


@dataclass(frozen=True)
class Book:
    """The ledger as it lies on the disk, read without the program: what was published, what is not written out."""

    files: dict[int, dict[str, bytes]]
    pending: list[int]


@cache
def reader() -> duckdb.DuckDBPyConnection:
    """A database to attach ledgers to, which is quicker than opening one for each."""
    return duckdb.connect()


@contextmanager
def attached(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = reader()
    connection.execute(f"ATTACH '{path}' AS book")
    try:
        connection.execute("USE book")
        yield connection
    finally:
        connection.execute("USE memory")
        connection.execute("DETACH book")


def read_book(folder: Path) -> Book:
    if not (folder / "book.ledger").exists():
        return Book({}, [])
    copy = folder.with_name("copy")  # opening a database writes to it
    shutil.copytree(folder, copy)
    inside = copy / "book.ledger.open" / "book.ledger"  # with the log of a run that was stopped
    if inside.parent.exists():
        inside.unlink(missing_ok=True)
        inside.hardlink_to(copy / "book.ledger")
    with attached(inside if inside.exists() else copy / "book.ledger") as connection:
        releases = [int(release) for (release,) in connection.execute("SELECT release FROM releases").fetchall()]
        rows = [
            (release, *row)
            for release in releases
            for row in connection.execute(f"SELECT name, size, content FROM files_{release}").fetchall()
        ]
        pending = connection.execute("SELECT release FROM releases WHERE NOT written").fetchall()
    shutil.rmtree(copy)
    found: dict[int, dict[str, bytes]] = {}
    for release, name, size, content in rows:
        found.setdefault(release, {})[name] = pa.decompress(content, size, codec="zstd", asbytes=True)
    return Book(found, [release for (release,) in pending])


def published(folder: Path) -> dict[str, bytes]:
    """What is in a folder, but for the receipt."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "receipt.txt"}


def strangers(folder: Path) -> list[str]:
    """Files that nobody asked for."""
    wanted = {
        "book.ledger",
        "book.ledger.journal",
        *(f"{name}.{ending}" for name in NAMES for ending in ("csv", "yaml")),
    }
    wanted |= {f"out{k}/{name}.csv" for k in range(1, 5) for name in ("release", "counterfeits")}
    wanted |= {f"out{k}/receipt.txt" for k in range(1, 5)}
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return sorted(names - wanted)


def holds(folder: Path, releases: int) -> None:
    checked = api.verify(folder / "one.yaml")
    assert (checked.releases, checked.mismatches) == (releases, ())
    assert stat.S_IMODE((folder / "book.ledger").stat().st_mode) == 0o600


def private_leftovers(folder: Path) -> None:
    """Whatever a fault left of the ledger is the owner's alone."""
    for path in [*folder.glob(".*"), *folder.glob("book.*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def recovers(work: Work, *tables: str) -> Book:
    """The next run on the same table, and from the same state again the next run on another table.

    A release that was committed is finished from the state that the fault left; before another table, or where none
    was committed, somebody has looked at the ledger, which is whole by then.
    """
    folder, number, out = work.folder, work.number, work.folder / work.out
    before = read_book(folder)
    assert set(before.files) in (set(range(1, number)), set(range(1, number + 1)))
    assert set(before.pending) <= {number}
    assert number in before.files or not out.exists()
    private_leftovers(folder)
    backup = folder.with_name("backup")
    shutil.copytree(folder, backup)
    for table in tables or ("same", "other"):
        if before.files and (table == "other" or number not in before.files):
            holds(folder, len(before.files))
        after = _with_the_same_table(work, before) if table == "same" else _with_another_table(work, before)
        holds(folder, len(after.files))
        assert {release: after.files[release] for release in before.files} == before.files
        assert after.pending == []
        assert strangers(folder) == []
        shutil.rmtree(folder)
        shutil.copytree(backup, folder)
    return before


def _with_the_same_table(work: Work, before: Book) -> Book:
    """A release that was not written out is finished, and that is all; one that was is not published again."""
    if work.number in before.files and not before.pending:
        with pytest.raises(BadInput, match="expected a folder without a release"):
            republish(work.folder / f"{work.spec}.yaml", work.folder / work.out, audit=False)
        with pytest.raises(BadInput, match=f"this table is that of release {work.number}, the last one"):
            api.republish(work.folder / f"{work.spec}.yaml", work.folder / "out4", audit=False)
        return read_book(work.folder)
    begin = work.number == 1  # as the run that was stopped: the command is the same
    made = republish(work.folder / f"{work.spec}.yaml", work.folder / work.out, audit=False, begin=begin)
    after = read_book(work.folder)
    finished = work.number if before.pending else None
    assert (made.number, made.finished) == (finished or len(before.files) + 1, finished)
    assert len(after.files) == made.number
    assert published(work.folder / work.out) == after.files[made.number]
    return after


def _with_another_table(work: Work, before: Book) -> Book:
    """A release that was not written out goes to its own folder first."""
    made = republish(work.folder / "three.yaml", work.folder / "out3", audit=False)
    after = read_book(work.folder)
    assert (made.number, made.finished) == (len(before.files) + 1, work.number if before.pending else None)
    assert published(work.folder / "out3") == after.files[made.number]
    if work.number in before.files:
        assert published(work.folder / work.out) == before.files[work.number]
    return after
