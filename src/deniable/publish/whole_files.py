"""Reports for anybody to read: all of them are written, each whole, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from deniable.private_folders import private_folder


def write_files(texts: Mapping[Path, str]) -> None:
    """Write texts to their paths, in place of what is there: first beside them, then all under their names.

    Where one cannot take its place, those that took theirs are removed: what was there before is then gone too, since
    it is about an older run.
    """
    placed: list[Path] = []
    with ExitStack() as folders:
        written = []
        for path, text in texts.items():
            part = folders.enter_context(private_folder(path.parent)) / "report"
            part.write_text(text, encoding="utf-8", newline="\n")
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
