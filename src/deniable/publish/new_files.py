"""Files that take no other's place."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from deniable.private_folders import private_folder, sweep_folders

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)  # a file system that has no second names


@contextmanager
def new_files(texts: Mapping[Path, str], private: Collection[Path] = ()) -> Iterator[None]:
    """Write files under names that nothing has, for some work on them: if that fails, or a stop comes, all go again.

    Nobody but their owner may read those that are `private`. Raises FileExistsError where there is something, be it a
    link that leads nowhere.
    """
    own: dict[Path, os.stat_result] = {}
    try:
        for path, text in texts.items():
            _write(path, text, own, 0o600 if path in private else 0o666)
        yield
    except BaseException:
        for path, made in own.items():
            with suppress(OSError):  # it is not there yet
                if os.path.samestat(made, path.lstat()):
                    path.unlink()
        raise


def write_new(path: Path, text: str) -> None:
    """Write a file, all of it or nothing, under a name that nothing has. Raises FileExistsError."""
    _write(path, text, {}, 0o666)


def _write(path: Path, text: str, own: dict[Path, os.stat_result], mode: int) -> None:
    """The same; `own` has the file before it has its name, since a stop may come right after that."""
    with private_folder(path.parent) as folder:
        part = folder / "new"
        with os.fdopen(os.open(part, _NEW, mode), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        own[path] = part.lstat()
        try:
            os.link(part, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _write_at_once(path, text, own, mode)


def _write_at_once(path: Path, text: str, own: dict[Path, os.stat_result], mode: int) -> None:
    own[path] = os.fstat(handle := os.open(path, _NEW, mode))
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
