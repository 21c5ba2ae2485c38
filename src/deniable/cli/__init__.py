"""The command line: one function a command, options defined once, errors turned into exit codes.

Nothing is imported before Ctrl-C is minded: whenever it comes, the program says so and ends with 3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from deniable.cli.stopping import Stopped, stoppable

if TYPE_CHECKING:
    from io import TextIOWrapper

    from deniable.cli.commands import main

__all__ = ["main", "run"]


def __getattr__(name: str) -> Any:
    if name == "main":
        from deniable.cli.commands import main

        return main
    raise AttributeError(f"module 'deniable.cli' has no attribute {name!r}")


def run(arguments: list[str] | None = None, call: Callable[..., Any] | None = None) -> None:
    """The program: exit status 0, 1, 2 or 3, and one clear line instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # no stream, or one that cannot be changed
            cast("TextIOWrapper", stream).reconfigure(errors="replace")  # what an old terminal cannot show
    with stoppable() as stopped:
        try:
            _run(arguments, call)
        except BaseException as error:
            if stopped.seen or isinstance(error, (KeyboardInterrupt, Stopped)):
                sys.stderr.write("interrupted\n")
                sys.exit(3)
            raise


def _run(arguments: list[str] | None, call: Callable[..., Any] | None) -> None:
    from deniable.errors import DeniableError

    try:
        from deniable.cli.commands import main

        (call or main)(args=arguments, prog_name="deniable", standalone_mode=True)
    except DeniableError as error:
        _fail(error.typed(), error.exit_status)
    except MemoryError:
        _fail("out of memory", 3)
    except OSError as error:
        _fail(f"{error.filename or 'the machine'}: {error.strerror or 'failed'}", 3)


def _fail(what: str, status: int) -> None:
    import click

    click.echo(what, err=True)
    sys.exit(status)
