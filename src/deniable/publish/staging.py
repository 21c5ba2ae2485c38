"""Published files are written all or none: beside their place first, and put there together.

A folder that is published into has, meanwhile, a private folder `.publishing` in it:

    new/      the files as they are written
    before/   what the folder had under their names: the older file, or an empty folder where there was none
    after/    is `before` when all files are in place; from then on nothing is undone

So whatever stops a run, an error or the machine, the folder can be put back as it was: at once, or by the next run. And
whenever somebody looks, it has files of one run only: the older ones are all gone before the first new one comes, and
the other way round where it is put back. People of one run beside values of another would look like a release.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

STAGING = ".publishing"


@contextmanager
def staged(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """A place to write files under these names; afterwards they are in the folder, or it is as it was.

    They may be read by whoever may read new files of the user's. A folder that is not there is made.
    """
    made: list[Path] = []
    try:
        _make(folder, made)
        with _alone(folder):
            _undo(folder)
            try:
                place = folder / STAGING / "new"
                place.parent.mkdir(0o700)
                place.mkdir(0o700)
                mode = _usual_mode(place.parent)
                yield place
                for name in names:
                    (place / name).chmod(mode)
                    _sync(place / name)
                _put_in_place(folder, names)
            except BaseException:
                with suppress(OSError):  # the next run tries again
                    _undo(folder)
                raise
    except BaseException:
        for new in reversed(made):
            with suppress(OSError):
                new.rmdir()
        raise


def sweep(folder: Path) -> None:
    """Put a folder back as it was before a run that was stopped while publishing into it."""
    if (folder / STAGING).is_dir():
        with _alone(folder):
            _undo(folder)


def _put_in_place(folder: Path, names: Sequence[str]) -> None:
    staging = folder / STAGING
    before = staging / "before"
    before.mkdir()
    for name in names:
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(folder / name))
    for name in names:
        _keep(folder / name, before / name)
    _sync(before)
    _sync(folder)  # not that the machine fails with some new names and some older ones on the disk
    for name in names:
        os.replace(staging / "new" / name, folder / name)
    _sync(folder)
    os.replace(before, staging / "after")
    _sync(staging)
    shutil.rmtree(staging, ignore_errors=True)  # what stays is swept by the next run


def _keep(old: Path, kept: Path) -> None:
    try:
        old.rename(kept)
    except FileNotFoundError:
        kept.mkdir()


def _undo(folder: Path) -> None:
    """Done twice, or only now after another run was stopped in it, it is as good as done once."""
    staging = folder / STAGING
    if not staging.is_dir():
        return
    before = staging / "before"
    kept = list(before.iterdir()) if before.is_dir() else []
    for older in kept:
        (folder / older.name).unlink(missing_ok=True)
    for older in kept:
        if older.is_symlink() or not older.is_dir():
            older.rename(folder / older.name)
    shutil.rmtree(staging)


def _make(folder: Path, made: list[Path]) -> None:
    """Make a folder and those above it; `made` is told of each."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for new in reversed(missing):
        made.append(new)
        try:
            new.mkdir()
        except FileExistsError:  # another run was faster
            made.remove(new)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One run at a time publishes into a folder; where folders cannot be locked, nobody waits."""
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _usual_mode(place: Path) -> int:
    """The mode that new files of the user's get, seen on one: to ask for the umask is to change it for a moment."""
    probe = place / "mode"
    handle = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        return stat.S_IMODE(os.fstat(handle).st_mode)
    finally:
        os.close(handle)
        probe.unlink()
