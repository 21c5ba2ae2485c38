"""Where the program is heard, and where it is not: streams that are closed, full or that nobody reads any more."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def open_streams() -> None:
    """Streams for those that are closed. A file that is opened would have their number, and hear what is said."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        with suppress(OSError):
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # has the least number that is free, which is this one
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "r+" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nowhere)


def flush_streams() -> bool:
    """Whether what was printed was heard. What was not is dropped: Python would try it once more, and end with 120."""
    is_heard = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            is_heard = is_heard and stream is not sys.stdout
            with suppress(AttributeError, OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return is_heard
