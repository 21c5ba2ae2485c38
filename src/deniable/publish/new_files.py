"""A file that takes no other's place."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deniable.private_folders import private_folder, sweep_folders

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)  # a file system that has no second names


@contextmanager
def new_file(path: Path, text: str) -> Iterator[None]:
    """Write a file under a name that nothing has, for some work on it: if that fails, the file goes again.

    Raises FileExistsError where there is something, be it a link that leads nowhere.
    """
    write_new(path, text)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def write_new(path: Path, text: str) -> None:
    """Write a file, all of it or nothing, under a name that nothing has. Raises FileExistsError."""
    with private_folder(path.parent) as folder:
        part = folder / "new"
        with part.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        try:
            os.link(part, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _write_at_once(path, text)


def _write_at_once(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def sweep_beside(path: Path) -> None:
    """Remove what a run left that was killed when the file was written already: the next one is refused."""
    sweep_folders(path.parent)
