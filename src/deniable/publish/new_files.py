"""A file that takes no other's place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def new_file(path: Path, text: str) -> Iterator[None]:
    """Write a file under a name that nothing has, for some work on it: if that fails, the file goes again.

    Raises FileExistsError where there is something, be it a link that leads nowhere.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        yield
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
