"""A ledger that is damaged, foreign, newer, in use or readable by others; and two publishers at once."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from deniable import api
from deniable.errors import BadInput, EngineError
from deniable.ledgers.file import ledger
from tests.history.again import republish
from tests.history.faults import Host, Job, Work, set_up
from tests.history.recovery import holds, private_leftovers, published, read_book, strangers

FOREIGN = "expected a ledger; found another file, or one that is damaged"


def refused(work: Work, wanted: str) -> None:
    """Publishing and verifying both refuse the ledger, and leave it and the folder as they are."""
    before = {path: path.read_bytes() for path in work.folder.rglob("*") if path.is_file()}
    spec = work.folder / f"{work.spec}.yaml"
    for call in (
        lambda: republish(spec, work.folder / work.out, audit=False),
        lambda: api.verify(spec),
        lambda: api.ledger(spec),
    ):
        with pytest.raises(BadInput) as error:
            call()
        assert wanted in str(error.value)
        assert {path: path.read_bytes() for path in work.folder.rglob("*") if path.is_file()} == before


BLOCK = 262_144


@pytest.mark.parametrize("kept", [0, 1, 100, 4_096, 12_288, 12_288 + BLOCK, 12_288 + 5 * BLOCK, -BLOCK, -1])
def test_truncated(kept: int, later: Work) -> None:
    path = later.folder / "book.ledger"
    content = path.read_bytes()
    path.write_bytes(content[:kept])
    refused(later, FOREIGN)


def test_truncated_after_many_releases(later: Work) -> None:
    """Old versions of rows leave free room inside the file; losing its end is noticed all the same."""
    for k in range(4):
        republish(later.folder / f"{('two', 'three')[k % 2]}.yaml", later.folder / f"out{k + 2}", audit=False)
    path = later.folder / "book.ledger"
    content = path.read_bytes()
    for blocks in (1, 2, 3):
        path.write_bytes(content[: -blocks * BLOCK])
        refused(later, FOREIGN)
    path.write_bytes(content)
    holds(later.folder, 5)


@pytest.mark.parametrize("block", range(9))
def test_a_changed_byte(block: int, later: Work) -> None:
    """Either nothing that is in use was hit, or it is told; nobody publishes on from what cannot be read."""
    path = later.folder / "book.ledger"
    content = bytearray(path.read_bytes())
    blocks = (len(content) - 12_288) // BLOCK
    assert blocks >= 9
    content[12_288 + (block if block < 8 else blocks - 1) * BLOCK + 40] ^= 0xFF
    path.write_bytes(content)
    before = read_files(later.folder)
    try:
        checked = api.verify(later.folder / "two.yaml").mismatches
    except (BadInput, EngineError) as error:
        checked = (str(error),)
    if checked:
        assert read_files(later.folder) == before
        assert all("\n" not in line for line in checked)
        with pytest.raises((BadInput, EngineError)):
            republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
        assert not (later.folder / "out2").exists()


def read_files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_text(later: Work) -> None:
    (later.folder / "book.ledger").write_text("release,group,name,problem\n1,1,p1,u\n")
    refused(later, FOREIGN)


def test_another_database(later: Work) -> None:
    path = later.folder / "book.ledger"
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE about (format, version)")
    connection.close()
    refused(later, FOREIGN)


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE other (x INTEGER)",
        "CREATE TABLE about (format VARCHAR, version INTEGER)",
        "CREATE TABLE about AS SELECT 'another format' AS format, 1 AS version",
    ],
)
def test_a_database_that_is_no_ledger(made: str, later: Work) -> None:
    path = later.folder / "book.ledger"
    path.unlink()
    with duckdb.connect(str(path)) as connection:
        connection.execute(made)
    refused(later, FOREIGN)


def test_a_folder(later: Work) -> None:
    path = later.folder / "book.ledger"
    path.unlink()
    path.mkdir()
    refused(later, "expected a ledger; found something that is not a file")


def test_a_newer_version(later: Work) -> None:
    with duckdb.connect(str(later.folder / "book.ledger")) as connection:
        connection.execute("UPDATE about SET version = 2")
    refused(later, "expected a ledger of version 1; found version 2, of another version of deniable")


def test_the_log_is_private_too(later: Work, host: Host) -> None:
    (ended,) = host.run(later.folder, Job("two.yaml", "out2", call="deniable.ledgers.private:keep"))
    assert ended.status == -signal.SIGKILL
    assert (later.folder / "book.ledger.open" / "book.ledger.wal").stat().st_size > 0
    assert not (later.folder / "book.ledger.wal").exists()
    private_leftovers(later.folder)


@pytest.mark.parametrize(("mask", "folder", "file"), [(0o022, 0o755, 0o644), (0o077, 0o700, 0o600), (0, 0o777, 0o666)])
def test_modes_follow_the_mask(mask: int, folder: int, file: int, work: Work) -> None:
    before = os.umask(mask)
    try:
        republish(work.folder / f"{work.spec}.yaml", work.folder / work.out, audit=False)
    finally:
        assert os.umask(before) == mask
    out = work.folder / work.out
    assert stat.S_IMODE(out.stat().st_mode) == folder
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()} == {file}
    assert stat.S_IMODE((work.folder / "book.ledger").stat().st_mode) == 0o600


def test_two_processes(work: Work, host: Host) -> None:
    ended = host.run(work.folder, Job("two.yaml", "out2"), Job("three.yaml", "out3"))
    done = [out for out, run in zip(("out2", "out3"), ended, strict=True) if run.status == 0]
    for run in ended:
        assert run.status in (0, 2, 3)
        late = ("another run made this ledger meanwhile", "there is a ledger already, whose last release is 1 of ")
        assert run.err == "" or (run.err.count("\n") == 1 and any(said in run.err for said in late))
    assert len(done) == 2 if work.number == 2 else done
    book = read_book(work.folder)
    assert book.pending == []
    holds(work.folder, work.number - 1 + len(done))
    content = list(book.files.values())
    assert all(published(work.folder / out) in content for out in done)
    assert not any((work.folder / out).exists() for out in {"out2", "out3"} - set(done))
    assert strangers(work.folder) == []
    republish(work.folder / "two.yaml", work.folder / "out4", audit=False)
    holds(work.folder, work.number + len(done))


def test_threads(later: Work) -> None:
    """The lock on a file does not hold inside one process."""

    def publish(k: int) -> int:
        spec = later.folder / f"{('one', 'two', 'three')[k % 3]}.yaml"
        return republish(spec, later.folder / f"out{k}", audit=False).number

    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(publish, range(2, 5)))
    assert sorted(numbers) == [2, 3, 4]
    holds(later.folder, 4)
    book = read_book(later.folder)
    for k, number in zip(range(2, 5), numbers, strict=True):
        assert published(later.folder / f"out{k}") == book.files[number]
    assert strangers(later.folder) == []


def test_threads_with_ledgers_of_their_own(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        folders = [tmp_path / str(k) for k in range(4)]
        for folder in folders:
            folder.mkdir()
            set_up(folder)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda folder: republish(folder / "one.yaml", folder / "out1", audit=False), folders))
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    for folder in folders:
        assert stat.S_IMODE((folder / "book.ledger").stat().st_mode) == 0o600
        assert {stat.S_IMODE(path.stat().st_mode) for path in (folder / "out1").iterdir()} == {0o644}


HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def test_in_use_by_another_process(later: Work) -> None:
    path = later.folder / "book.ledger"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin
    assert holder.stdout
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(EngineError) as error, ledger(path, None, wait=0.1):
        pass
    assert str(error.value) == f"{path}: another run is using this ledger; try again when it has ended"
    holder.stdin.close()
    with ledger(path, None, wait=10):  # waits until it has ended
        pass
    assert holder.wait() == 0


def test_in_use_by_another_thread(later: Work) -> None:
    path = later.folder / "book.ledger"
    with ledger(path, None), pytest.raises(EngineError, match="another run is using this ledger"):  # noqa: SIM117
        with ledger(path, None, wait=0.05):
            pass
    with ledger(path, None, wait=0):
        pass


def test_a_copy_goes_on_where_the_first_was(later: Work, tmp_path: Path) -> None:
    """A ledger may be moved with its folder."""
    moved = tmp_path / "moved"
    shutil.move(later.folder, moved)
    assert republish(moved / "two.yaml", moved / "out2", audit=False).number == 2
    holds(moved, 2)
