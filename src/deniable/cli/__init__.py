"""The command line: one function a command, options defined once, errors turned into exit codes.

Nothing is imported before Ctrl-C is minded: whenever it comes, the program says so and ends with 3.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from deniable.cli.stopping import Stop, Stopped, stoppable
from deniable.cli.streams import flush_streams, open_streams

if TYPE_CHECKING:
    from io import TextIOWrapper

    from deniable.cli.commands import main

__all__ = ["main", "run"]
_NEW = 100_000  # objects between two searches for garbage; a start makes as many, and hardly any is


def __getattr__(name: str) -> Any:
    if name == "main":
        from deniable.cli.commands import main

        return main
    raise AttributeError(f"module 'deniable.cli' has no attribute {name!r}")


def run(arguments: list[str] | None = None, call: Callable[..., Any] | None = None) -> None:
    """The program: exit status 0, 1, 2 or 3, and one clear line instead of a traceback."""
    if arguments is None:  # we are the program, not called by one
        open_streams()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # no stream, or one that cannot be changed
            cast("TextIOWrapper", stream).reconfigure(errors="replace")  # what an old terminal cannot show
    if arguments is None:
        gc.set_threshold(_NEW)
        with _leaving():
            _minded(arguments, call)
    else:
        _minded(arguments, call)


def _minded(arguments: list[str] | None, call: Callable[..., Any] | None) -> None:
    """Whatever goes wrong after we were told to stop is no news."""
    stop = Stop()
    try:
        with stoppable(stop, last=arguments is None), _warnings():
            from deniable.cli.commands import main

            (call or main)(args=arguments, prog_name="deniable", standalone_mode=True)
    except BaseException as error:
        if stop.seen or isinstance(error, (KeyboardInterrupt, Stopped)):
            _say_goodbye()
            sys.exit(3)
        if not isinstance(error, Exception):
            raise
        _fail(*_told(error, arguments))


def _told(error: Exception, arguments: list[str] | None) -> tuple[str, int]:
    """What is said of an error, and the exit status."""
    from deniable.errors import DeniableError

    if isinstance(error, DeniableError):
        return error.typed(), error.exit_status
    if isinstance(error, MemoryError):
        return "out of memory", 3
    if isinstance(error, OSError):
        return f"{error.filename or 'the machine'}: {error.strerror or 'failed'}", 3
    from deniable.cli.unforeseen import report

    return report(error, arguments), 3


@contextmanager
def _leaving() -> Iterator[None]:
    """End the process as Python would, but for taking its modules apart, which takes longer than many a command.

    What is registered for the end is done, and what was said is heard. Where that fails, or a thread of somebody's is
    at work, Python itself finds the words and the time.
    """
    try:
        yield
    except SystemExit as leaving:
        status = 0 if leaving.code is None else leaving.code
        if not flush_streams() and status in (0, 1):  # which say that there is an answer
            status = leaving.code = 3
        others = [thread for thread in threading.enumerate() if not thread.daemon]
        watched = sys.gettrace() or sys.getprofile()  # by somebody who wants to tell what was seen
        if not isinstance(status, int) or others != [threading.main_thread()] or watched:
            raise
        atexit._run_exitfuncs()
        flush_streams()
        os._exit(status & 0xFF)


@contextmanager
def _warnings() -> Iterator[None]:
    """What the library warns of, as lines: each once, without the place in the source that a programmer would want."""
    said: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if str(message) not in said and category.__module__.startswith("deniable."):
            from deniable.words import visible

            said.add(str(message))
            with suppress(OSError, ValueError):  # nobody hears
                sys.stderr.write(f"{visible(str(message))}\n")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield


def _say_goodbye() -> None:
    """To a terminal that may be closed already: then Python shall not fail to flush what it did not hear."""
    exec("0")  # interrupted in an exec, as of a dataclass, Python would remember and end by SIGINT, whatever we say
    for stream, text in ((sys.stdout, ""), (sys.stderr, "interrupted\n")):
        try:
            stream.write(text)
            stream.flush()
        except (AttributeError, OSError, ValueError):
            with suppress(AttributeError, OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(what: str, status: int) -> None:
    import click

    from deniable.words import visible

    with suppress(OSError, ValueError):  # nobody hears; the status tells
        click.echo(visible(what), err=True)
    sys.exit(status)
