"""Folders of our own for what is private while a run is at work: nobody else may enter, and nothing of them stays.

A folder has the mode 0700 and a lock, which is held for as long as the process lives that made the folder. It goes when
its work is done or is stopped. A process that was killed leaves its folder, without holding the lock any more: the next
run that makes a folder in the same place removes it. What has another name, another owner or no lock of ours is never
touched, nor what a running process holds.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = ".deniable-lock"
_OURS = re.compile(r"\.?deniable-[0-9a-f]{16}")
_HELD: dict[Path, tuple[int, int | None]] = {}  # the process that made a folder, and its hold on the lock


@contextmanager
def private_folder(beside: Path | None = None) -> Iterator[Path]:
    """A folder for some work, among the machine's temporary ones or `beside` the files that shall come of it."""
    folder = make_folder(beside)
    try:
        yield folder
    finally:
        remove_folder(folder)


def make_folder(beside: Path | None = None) -> Path:
    """A new folder, which whoever asked must remove; what dead processes left in the same place is removed first."""
    parent = Path(tempfile.gettempdir()) if beside is None else beside
    sweep_folders(parent)
    while True:
        folder = parent / f"{'' if beside is None else '.'}deniable-{secrets.token_hex(8)}"
        _HELD[folder] = os.getpid(), None  # before it is there: whenever we are stopped, it goes
        try:
            folder.mkdir(0o700)
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            _HELD[folder] = os.getpid(), handle
            with suppress(OSError):  # where nothing can be locked, nothing is swept
                fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_lock_of(handle, folder):
                return folder
        except FileNotFoundError:
            if not parent.is_dir():
                raise
        except BaseException:
            remove_folder(folder)
            raise
        remove_folder(folder)  # another run took it for one that is left


def remove_folder(folder: Path) -> None:
    """Remove a folder of this process; a fork leaves its parent's alone."""
    process, handle = _HELD.get(folder, (0, None))
    if process == os.getpid():
        _empty(folder)
        if handle is not None:
            _HELD[folder] = process, None  # whenever we are stopped, it is not closed twice
            os.close(handle)
        _HELD.pop(folder, None)


@atexit.register
def _remove_all() -> None:
    """What an interruption kept from being removed, or from being known to those who would have."""
    for folder in list(_HELD):
        remove_folder(folder)


def sweep_folders(parent: Path) -> None:
    """Remove the folders that processes which are dead left in a place."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if _OURS.fullmatch(entry.name):
                with suppress(OSError):
                    _sweep(Path(entry.path))


def _sweep(folder: Path) -> None:
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        folder.rmdir()  # which only an empty one lets happen
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_lock_of(handle, folder):
            _empty(folder)
    finally:
        os.close(handle)


def _empty(folder: Path) -> None:
    """Remove a folder, its lock last: stopped on the way, it can still be known for one of ours."""
    with suppress(OSError):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != LOCK:
                entry.unlink(missing_ok=True)
        (folder / LOCK).unlink(missing_ok=True)
        folder.rmdir()


def _is_lock_of(handle: int, folder: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), (folder / LOCK).lstat())
    except FileNotFoundError:
        return False
