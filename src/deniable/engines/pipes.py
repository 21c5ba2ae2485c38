"""What an engine writes goes through a pipe: the file itself is ours, and the engine need not be let near it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BLOCK = 1 << 20  # bytes that are passed on at once


@contextmanager
def piped(pipe: Path, file: Path) -> Iterator[None]:
    """While this lasts, whatever is written to a new pipe goes into a new file, which only its owner may read."""
    target = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    failed: list[OSError] = []
    try:
        os.mkfifo(pipe, 0o600)
        source = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        held = os.open(pipe, os.O_WRONLY)  # so that it does not end before the engine has opened it
        os.set_blocking(source, True)
        passing = threading.Thread(target=_pass_on, args=(source, target, failed), daemon=True)
        try:
            passing.start()  # whoever is stopped right here leaves nothing that waits for the end of the pipe
            yield
        finally:
            os.close(held)
            if passing.is_alive():
                passing.join()
    finally:
        with suppress(FileNotFoundError):
            pipe.unlink()
        os.close(target)
    if failed:
        raise failed[0]


def _pass_on(source: int, target: int, failed: list[OSError]) -> None:
    """All that arrives; where it cannot be written, the pipe is closed, and who writes to it learns of that."""
    try:
        while block := os.read(source, _BLOCK):
            view = memoryview(block)
            while view:
                view = view[os.write(target, view) :]
    except OSError as error:
        failed.append(error)
    finally:
        os.close(source)
