"""Users' files under names of ours.

An engine expands the names that it is given: `*`, `?` and `[` match neighbours, `~` is a home, `s3:` another machine,
and `age=40/` a column. So it is given links of plain names in a private folder, and sees no name that others chose.
It follows a link only to a file that it may read; of another one, which was not named in time or has a name that is no
text, the folder gets a second name or a copy.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from deniable.words import is_unicode

_PACKED = (".gz", ".zst")


def readable_names(files: Iterable[str]) -> frozenset[str]:
    """What files are called behind all links, of those whose names an engine can be told."""
    found = (os.path.realpath(file) for file in files)
    return frozenset(name for name in found if is_unicode(name))


class PlainNames:
    """Links to files, in a folder that only we may enter; `allowed` are those that may be read where they are."""

    def __init__(self, folder: Path, allowed: frozenset[str]) -> None:
        self._folder = folder
        self._allowed = allowed
        self._links: dict[tuple[Path, str], str] = {}  # by file and kind
        self._files: dict[str, str] = {}  # as users name them, by link

    def of(self, paths: Sequence[str], kind: str, users: Sequence[str]) -> list[str]:
        """A link for each of these files, which are those of `users` or copies of them. How it ends says what the file
        is, and what it is packed with."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return [self._link(Path(path).absolute(), kind, user) for path, user in zip(paths, users, strict=True)]

    def _link(self, path: Path, kind: str, user: str) -> str:
        """The one that the file has, or a new one."""
        if (path, kind) in self._links:
            return self._links[path, kind]
        packed = path.suffix.lower()
        link = self._folder / f"{len(self._files)}.{kind}{packed if packed in _PACKED else ''}"
        self._files[str(link)] = user
        if os.path.realpath(path) in self._allowed:
            link.symlink_to(path)
            self._links[path, kind] = str(link)
        else:
            _bring(path, link)
        return str(link)

    def named_in(self, text: str) -> str | None:
        """The file whose link a message of the engine names, if any."""
        found = [link for link in self._files if link in text]
        return self._files[max(found, key=len)] if found else None

    def remove(self) -> None:
        """Let go of all links."""
        self._links.clear()
        self._files.clear()
        shutil.rmtree(self._folder, ignore_errors=True)


def _bring(path: Path, link: Path) -> None:
    """A second name for a file, or where it cannot have one there, a copy."""
    try:
        os.link(os.path.realpath(path), link)
    except OSError:
        handle = os.open(link, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with path.open("rb") as file, os.fdopen(handle, "wb") as copy:
            shutil.copyfileobj(file, copy)
