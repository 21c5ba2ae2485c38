"""What nobody foresaw: one line, exit status 3, and a report that may be sent to those who can mend it.

A message of Python, of a database or of a library may quote a cell, and so may the value of an option. The report has
only what we wrote ourselves: the kind of the error, the places in our source that led to it, versions, and the names of
the command and its options.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from traceback import walk_tb


def report(error: BaseException, arguments: Sequence[str] | None) -> str:
    """Write the report; the line that says where it is."""
    text = "\n".join(_lines(error, sys.argv[1:] if arguments is None else arguments)) + "\n"
    what = f"unforeseen: {type(error).__name__}, which is a fault of deniable"
    try:
        path = _write(text)
    except OSError:
        return f"{what}; no report of it could be written"
    return f"{what}; {path} tells where it came from and holds no cell: please send it"


def _write(text: str) -> Path:
    """A file in the folder for temporary ones, which its owner alone may read."""
    handle, name = tempfile.mkstemp(prefix="deniable-report-", suffix=".txt")  # of mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


def _lines(error: BaseException, arguments: Sequence[str]) -> Iterator[str]:
    from deniable import __version__

    yield f"deniable {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield ", ".join(_libraries())
    yield f"command: {' '.join(_typed(arguments)) or 'unknown'}"
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield f"{type(link).__module__}.{type(link).__name__}"
        yield from (f"  {place}" for place in _places(link))
        link = link.__cause__ or link.__context__


def _libraries() -> Iterator[str]:
    """Those that are always there, with their versions."""
    with suppress(PackageNotFoundError):
        for needed in requires("deniable") or ():
            found = re.match(r"[\w.-]+", needed)
            if found and "extra ==" not in needed:
                yield f"{found[0]} {version(found[0])}"


def _typed(arguments: Sequence[str]) -> Iterator[str]:
    """The command and its options, without what was typed after them."""
    from deniable.cli.commands import main

    words = (word.partition("=")[0] for word in arguments)
    known = {name for command in main.commands.values() for option in command.params for name in option.opts}
    command = next((word for word in arguments if word in main.commands), None)
    yield from [command] if command else []
    yield from (word for word in words if word.startswith("-") and word in known)


def _places(error: BaseException) -> Iterator[str]:
    """The frames of the error, module:line:function; of other people's code only its name."""
    for frame, line in walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", "unknown"))
        ours = module == "deniable" or module.startswith("deniable.")
        yield f"{module}:{line}:{frame.f_code.co_name}" if ours else module.partition(".")[0]
