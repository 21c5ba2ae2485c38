"""Published files are written all or none: beside their place first, and put there together.

A folder that is published into has, meanwhile, a private folder `.publishing` in it:

    new/      the files as they are written
    before/   what the folder had under their names: the older file, or an empty folder where there was none
    after/    is `before` when all files are in place; from then on nothing is undone

So whatever stops a run, an error or the machine, the folder can be put back as it was: at once, or by the next run.
"""

from __future__ import annotations

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
        _keep(folder / name, before / name)
    for name in names:
        os.replace(staging / "new" / name, folder / name)
    _sync(folder)
    os.replace(before, staging / "after")
    _sync(staging)
    shutil.rmtree(staging, ignore_errors=True)  # what stays is swept by the next run


def _keep(old: Path, kept: Path) -> None:
    """A second name for a file, or a copy where files have only one."""
    if not os.path.lexists(old):
        kept.mkdir()
        return
    try:
        os.link(old, kept, follow_symlinks=False)
    except OSError:
        copy = kept.parent.with_name("copy")
        shutil.copy2(old, copy, follow_symlinks=False)
        os.replace(copy, kept)


def _undo(folder: Path) -> None:
    """Done twice, or only now after another run was stopped in it, it is as good as done once."""
    staging = folder / STAGING
    if not staging.is_dir():
        return
    before = staging / "before"
    for kept in before.iterdir() if before.is_dir() else ():
        if kept.is_dir() and not kept.is_symlink():
            (folder / kept.name).unlink(missing_ok=True)
        else:
            os.replace(kept, folder / kept.name)
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
