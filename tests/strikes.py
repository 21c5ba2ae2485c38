"""A stop at each line of some work, one after the other, as a signal may bring it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any

from deniable import private_folders


class _Struck(BaseException):
    """As what a signal raises."""


def stopped(work: Callable[[], object], *modules: ModuleType) -> Iterator[int]:
    """Do some work again and again, stopped at each line that it runs in some modules, and in that of private folders;
    the number of each. What was there before must be there again when the next is asked for."""
    files = {module.__file__ for module in (*modules, private_folders)}
    held, line = set(private_folders._HELD), 1  # by engines that are open
    while _is_struck(work, line, files):
        for folder in private_folders._HELD.keys() - held:  # as at the end of the process
            private_folders.remove_folder(folder)
        yield line
        line += 1


def _is_struck(work: Callable[[], object], line: int, files: set[str | None]) -> bool:
    seen = 0

    def follow(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal seen
        if frame.f_code.co_filename not in files:
            return None
        seen += event == "line"
        if event == "line" and seen == line:
            raise _Struck
        return follow

    before = sys.gettrace()
    try:
        sys.settrace(follow)
        work()
    except _Struck:
        return True
    finally:
        sys.settrace(before)
    return False
