"""While a ledger is open, its database and log are in a folder that only its owner may enter.

The database makes its log, and what it spills, beside the file that it opens, with the modes that new files have. So it
opens a second name (a hard link) of the ledger, in a folder of mode 0700:

    hospital.ledger         the ledger, which never moves
    hospital.ledger.open/   while a run has it open
        lock                held by that run
        hospital.ledger     the second name
        hospital.ledger.wal the log

A run that is killed leaves the folder: the log in it is part of the ledger then, and the next run opens both. A log
beside the ledger itself, as earlier versions left it, is moved into the folder first. Only where the ledger's own
folder may not be written to, or where files have one name only, is the ledger opened where it is: in the former no log
can be made, and file systems without second names have no modes either.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from deniable.errors import BadInput, EngineError, Mistake, Reason
from deniable.frozen import frozen
from deniable.private_folders import make_folder, private_folder, remove_folder, sweep_folders

LOCK = "lock"
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")  # behind the name of a database
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_UNNAMED = ".new-"  # in what earlier versions called a ledger that has no name yet, or its folder


class Held(Exception):
    """Another run has it."""


@frozen
class Opening:
    """A ledger, and the folder in which it is opened; None where it is opened where it is."""

    path: Path
    folder: Path | None

    def name(self) -> Path:
        """What to open now. Raises Held where another program has the ledger, with a log beside it."""
        if self.folder is None:
            return self.path
        _adopt_logs(self.path, self.folder)
        inside = self.folder / self.path.name
        if not (inside.exists() and inside.samefile(self.path)):  # else what another run left: the folder was copied
            inside.unlink(missing_ok=True)
            os.link(self.path, inside)
        return inside


@contextmanager
def opening(path: Path) -> Iterator[Opening]:
    """The folder of a ledger that is there, for this run alone. Raises Held where another run has it."""
    folder = folder_of(path)
    try:
        lock = locked(folder)
    except OSError as error:
        if error.errno in _FORBIDDEN and not folder.exists():
            yield Opening(path, None)
            return
        raise _failed(path, error) from None
    try:
        yield Opening(path, folder) if _has_names(path, folder) else Opening(path, None)
    finally:
        _leave(path, folder)
        os.close(lock)


def copied_with_log(path: Path, open_: ExitStack) -> Path | None:
    """A private copy of a ledger with the log that a run left of it, None where there is no log.

    Raises PermissionError where a run of somebody else has the ledger, or left it.
    """
    folder = folder_of(path)
    logs = _logs(path)
    if folder.exists():
        next(folder.iterdir(), None)  # whether we may look
        logs += _logs(folder / path.name)
    if not logs:
        return None
    place = open_.enter_context(private_folder())
    for file in (path, *logs):
        shutil.copyfile(file, place / file.name)
    return place / path.name


def journal_of(path: Path) -> Path:
    """Where the journal of a ledger is."""
    return path.with_name(f"{path.name}.journal")


def folder_of(path: Path) -> Path:
    """Where a ledger is opened."""
    return path.with_name(f"{path.name}.open")


def check_alone(path: Path) -> None:
    """A ledger that is not there, although a run was stopped with it open, was lost or moved. Raises BadInput."""
    folder = folder_of(path)
    inside = folder / path.name
    if (inside.exists() or _logs(inside)) and not path.exists():
        what = f"expected the ledger {path.name}, which a run was stopped with; found none (put it back, or remove this"
        raise BadInput(Mistake(str(folder), f"{what} folder to begin anew)"))


@contextmanager
def unnamed(path: Path) -> Iterator[Path]:
    """A folder for a ledger that is being made; nothing of it stays."""
    try:
        folder = make_folder(path.parent)
    except OSError as error:
        raise _failed(path, error) from None
    try:
        yield folder
    finally:
        remove_folder(folder)


def sweep(path: Path) -> None:
    """Remove what runs that were killed left of a ledger on its way to its name, also those of earlier versions."""
    sweep_folders(path.parent)
    for left in path.parent.iterdir():
        if not left.name.startswith(f".{path.name}{_UNNAMED}"):
            continue
        if not left.is_dir():
            is_same = path.exists() and path.samefile(left)  # it got its name, and kept the other one
            if is_same or not _is_open(left.with_name(left.name.removesuffix(".wal"))):
                left.unlink(missing_ok=True)
            continue
        with suppress(Held, OSError):
            lock = locked(left)
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)


def locked(folder: Path) -> int:
    """Make a folder of our own if it is not there, and hold its lock. Raises Held where another run does."""
    with suppress(FileExistsError):
        folder.mkdir(0o700)
    _check_ours(folder)
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:  # removed meanwhile
        raise Held from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(handle), (folder / LOCK).stat()):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    raise Held


def _check_ours(folder: Path) -> None:
    """What is private must not be in somebody else's folder."""
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        raise Held from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise BadInput(Mistake(str(folder), "expected a folder of your own; found something else"))
    if stat.S_IMODE(found.st_mode) != 0o700:
        os.chmod(folder, 0o700)


def _has_names(path: Path, folder: Path) -> bool:
    """Whether the ledger can have a second name in the folder. A log that is there needs one."""
    try:
        Opening(path, folder).name()
    except Held:
        return True
    except OSError as error:
        if error.errno == errno.ENOSPC or _logs(folder / path.name):
            raise _failed(path, error) from None
        return False
    return True


def _adopt_logs(path: Path, folder: Path) -> None:
    """Move logs from beside the ledger into its folder, unless another program is using them."""
    logs = _logs(path)
    if not logs:
        return
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Held from None
        for log in logs:
            if (folder / log.name).exists():  # of two histories, nobody knows which was published
                raise damaged(path)
            log.rename(folder / log.name)


def logs_of(database: Path) -> list[Path]:
    """What the logs of a database are called, be they there or not."""
    return [database.with_name(database.name + end) for end in _LOGS]


def _logs(database: Path) -> list[Path]:
    return [log for log in logs_of(database) if log.exists()]


def _leave(path: Path, folder: Path) -> None:
    """Remove the folder, unless a log is left in it that is not in the ledger yet."""
    if _logs(folder / path.name):
        return
    with suppress(OSError):
        for entry in folder.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != LOCK:
                entry.unlink(missing_ok=True)
        (folder / LOCK).unlink(missing_ok=True)
        folder.rmdir()


def _is_open(database: Path) -> bool:
    """Whether another process has a database open."""
    try:
        with database.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def keep(path: Path) -> None:
    """Make the names of a log durable, which after a commit is part of the ledger."""
    folder = folder_of(path)
    if folder.exists():
        sync(folder)
        sync(folder.parent)


def sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def damaged(path: Path) -> BadInput:
    """Not a ledger, or not all of one."""
    journal = journal_of(path)
    return BadInput(
        Mistake(str(path), Reason("again.no_whole_ledger", journal=journal.name if journal.exists() else ""))
    )


def _failed(path: Path, error: OSError) -> EngineError:
    return EngineError(f"{path}: the ledger could not be opened ({error.strerror or type(error).__name__})")
