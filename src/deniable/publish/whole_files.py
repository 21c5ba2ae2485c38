"""Reports: all of them are written, each whole, or none."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from deniable.private_folders import private_folder


def write_files(texts: Mapping[Path, str], private: Collection[Path] = ()) -> None:
    """Write texts to their paths, in place of what is there: first beside them, then all under their names. Those that
    are `private` only their owner may read, from their first byte on.

    Where one cannot take its place, those that took theirs are removed: what was there before is then gone too, since
    it is about an older run.
    """
    placed: list[Path] = []
    with ExitStack() as folders:
        written = []
        for path, text in texts.items():
            part = folders.enter_context(private_folder(path.parent)) / "report"
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if path in private else 0o666)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            written.append((part, path))
        try:
            for part, path in written:
                os.replace(part, path)
                placed.append(path)
        except BaseException:
            for path in placed:
                with suppress(OSError):
                    path.unlink()
            raise
