"""Nobody but its owner reads a ledger or its log, at no moment; and other threads keep their usual modes meanwhile."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from deniable import api
from deniable.analyses.history.republish import STEPS
from deniable.errors import BadInput, EngineError
from deniable.ledgers.file import ledger
from deniable.ledgers.private import LOCK, Held, folder_of, locked
from tests.history.again import republish
from tests.history.faults import Host, Job, Work
from tests.history.recovery import holds, read_book, recovers, strangers


@contextmanager
def masked(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        assert os.umask(before) == mask


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def seen_by_others(folder: Path) -> list[str]:
    """Files of the ledger that others may read: those that have a mode for it in folders that let them in."""
    found = []
    for path in (Path(inside) / name for inside, _, names in os.walk(folder) for name in names):
        try:
            shut = any(mode(one) & 0o077 == 0 for one in path.parents if one != folder and one.is_relative_to(folder))
            if path.is_file() and "ledger" in path.name and mode(path) & 0o077 and not shut:
                found.append(str(path.relative_to(folder)))
        except FileNotFoundError:
            continue
    return found


def test_nothing_of_it_is_seen_at_any_step(work: Work) -> None:
    found: dict[str, list[str]] = {}
    with masked(0):
        spec, out = work.folder / f"{work.spec}.yaml", work.folder / work.out
        republish(spec, out, reached=lambda step: found.update({step: seen_by_others(work.folder)}))
    assert found == {step: [] for step in STEPS}
    assert mode(work.folder / "book.ledger") == 0o600
    assert not folder_of(work.folder / "book.ledger").exists()


def test_nothing_of_it_is_seen_at_any_moment(work: Work) -> None:
    found: set[str] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            found.update(seen_by_others(work.folder))

    watcher = threading.Thread(target=watch)
    with masked(0):
        watcher.start()
        try:
            republish(work.folder / f"{work.spec}.yaml", work.folder / work.out, audit=False)
        finally:
            done.set()
            watcher.join()
    assert found == set()


def test_an_open_ledger_leaves_the_mask_as_it_is(later: Work) -> None:
    path = later.folder / "book.ledger"
    with masked(0o022):
        with ledger(path, None) as book:
            book.connection.execute("UPDATE releases SET written = false")
            other = later.folder / "other.txt"
            writer = threading.Thread(target=other.write_text, args=("of another thread",))
            writer.start()
            writer.join()
            log = folder_of(path) / "book.ledger.wal"
            assert log.stat().st_size > 0
            assert mode(folder_of(path)) == 0o700
            assert os.umask(0o022) == 0o022
        assert mode(other) == 0o644
        assert not folder_of(path).exists()


def test_a_log_of_an_earlier_version_is_part_of_the_ledger(later: Work) -> None:
    """It lies beside the ledger, with a release that is nowhere else."""
    path = later.folder / "book.ledger"
    code = (
        "import duckdb, os, signal, sys; at = duckdb.connect(sys.argv[1]);"
        "at.execute('UPDATE releases SET written = false'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert (later.folder / "book.ledger.wal").stat().st_size > 0
    with ledger(path, None) as book:
        assert book.connection.execute("SELECT written FROM releases").fetchall() == [(False,)]
        assert not (later.folder / "book.ledger.wal").exists()
    assert strangers(later.folder) == []
    made = republish(later.folder / "one.yaml", later.folder / "out1", audit=False)
    assert (made.number, made.finished) == (1, 1)


def test_two_logs_are_two_histories(later: Work, host: Host) -> None:
    """An earlier version went on from a ledger whose last release is in the folder's log: nothing is published on."""
    host.run(later.folder, Job("two.yaml", "out2", call="deniable.ledgers.private:keep"))
    (later.folder / "book.ledger.wal").write_bytes(b"another log")
    before = {path: path.read_bytes() for path in later.folder.rglob("*") if path.is_file()}
    with pytest.raises(BadInput, match="expected a ledger; found another file, or one that is damaged"):
        republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    assert {path: path.read_bytes() for path in later.folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("call", "before"),
    [
        ("deniable.ledgers.private:locked", False),  # the folder is there, and empty
        ("os:link", True),
        ("os:link", False),  # the ledger has two names
        ("deniable.ledgers.private:_leave", True),  # all is in the ledger, and the folder is still there
        ("deniable.ledgers.private:_logs", False),
    ],
)
def test_killed_while_it_is_opened_or_left(call: str, before: bool, later: Work, host: Host) -> None:
    (ended,) = host.run(later.folder, Job("two.yaml", "out2", call=call, before=before))
    assert ended.status == -signal.SIGKILL
    recovers(later, "same")


def test_a_folder_that_was_copied_after_a_run_was_killed(later: Work, host: Host, tmp_path: Path) -> None:
    """The second name is a file of its own then; the log is the ledger's all the same."""
    host.run(later.folder, Job("two.yaml", "out2", call="deniable.ledgers.private:keep"))
    copy = tmp_path / "copied"
    shutil.copytree(later.folder, copy)
    assert not (copy / "book.ledger").samefile(copy / "book.ledger.open" / "book.ledger")
    holds(copy, 2)
    assert strangers(copy) == []
    assert set(read_book(copy).files) == {1, 2}


def test_a_ledger_that_was_lost_after_a_run_was_killed(later: Work, host: Host) -> None:
    host.run(later.folder, Job("two.yaml", "out2", call="deniable.ledgers.private:keep"))
    (later.folder / "book.ledger").unlink()
    with pytest.raises(BadInput, match=r"expected the ledger book\.ledger, which a run was stopped with; found none"):
        republish(later.folder / "two.yaml", later.folder / "out2", audit=False)


def test_two_names_that_cannot_be(later: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk where files have one name only, the ledger is opened where it is."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refused)
    holds(later.folder, 1)
    assert strangers(later.folder) == []


def test_a_folder_that_may_not_be_written_to(later: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can make a log there, so the ledger is opened where it is."""
    real = Path.mkdir

    def mkdir(self: Path, mode: int = 0o777) -> None:
        if self.name.endswith(".open"):
            raise PermissionError(13, "Permission denied")
        real(self, mode)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    holds(later.folder, 1)


def test_no_room_for_the_folder(later: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    with pytest.raises(EngineError, match=r"book\.ledger: the ledger could not be opened \(No space left on device\)"):
        api.verify(later.folder / "one.yaml")
    assert strangers(later.folder) == []


def test_a_folder_of_somebody_else(later: Work) -> None:
    """A link in its place must not lead the log elsewhere."""
    elsewhere = later.folder / "elsewhere"
    elsewhere.mkdir()
    folder_of(later.folder / "book.ledger").symlink_to(elsewhere)
    with pytest.raises(BadInput, match="expected a folder of your own; found something else"):
        api.verify(later.folder / "one.yaml")
    assert list(elsewhere.iterdir()) == []


def test_a_folder_that_another_user_made(later: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_of(later.folder / "book.ledger").mkdir(0o700)
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    with pytest.raises(BadInput, match="expected a folder of your own; found something else"):
        api.verify(later.folder / "one.yaml")


def test_a_lock_that_was_replaced_before_it_was_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run before removes its folder, and the next one makes another, while a third waits to lock the first."""
    folder, real = tmp_path / "book.ledger.open", fcntl.flock

    def late(handle: int, operation: int) -> None:
        (folder / LOCK).unlink()
        (folder / LOCK).touch()
        real(handle, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(Held):
        locked(folder)


def test_what_an_earlier_version_left_of_a_new_ledger_is_swept(later: Work) -> None:
    with duckdb.connect(str(later.folder / ".book.ledger.new-x1y2")) as connection:
        connection.execute("CREATE TABLE half (made INTEGER)")
    (later.folder / ".book.ledger.new-x1y2.wal").write_bytes(b"")
    republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    assert strangers(later.folder) == []
