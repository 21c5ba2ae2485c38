"""Users' files under names of ours.

An engine expands the names that it is given: `*`, `?` and `[` match neighbours, `~` is a home, `s3:` another machine,
and `age=40/` a column. So it is given links of plain names in a private folder, and sees no name that others chose.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_PACKED = (".gz", ".zst")


class PlainNames:
    """Links to files, in a folder that only we may enter."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._links: dict[tuple[Path, str], str] = {}  # by file and kind
        self._files: dict[str, str] = {}  # as users name them, by link

    def of(self, paths: Sequence[str], kind: str, users: Sequence[str]) -> list[str]:
        """A link for each of these files, which are those of `users` or copies of them. How it ends says what the file
        is, and what it is packed with."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return [self._link(Path(path).absolute(), kind, user) for path, user in zip(paths, users, strict=True)]

    def _link(self, path: Path, kind: str, user: str) -> str:
        """The one that the file has, or a new one."""
        if (path, kind) not in self._links:
            packed = path.suffix.lower()
            link = self._folder / f"{len(self._links)}.{kind}{packed if packed in _PACKED else ''}"
            link.symlink_to(path)
            self._links[path, kind] = str(link)
        self._files[self._links[path, kind]] = user
        return self._links[path, kind]

    def named_in(self, text: str) -> str | None:
        """The file whose link a message of the engine names, if any."""
        found = [link for link in self._files if link in text]
        return self._files[max(found, key=len)] if found else None

    def remove(self) -> None:
        """Let go of all links."""
        for link in self._files:
            Path(link).unlink(missing_ok=True)
        self._links.clear()
        self._files.clear()
        if self._folder.exists():
            self._folder.rmdir()
