"""A sign of life on stderr while long work runs, when somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_COMPILING = "compiling, once on this machine"


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a spinner and what is being done; nothing at all when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape

    from deniable.kernels import telling
    from deniable.words import visible

    what = escape(visible(what))
    with Console(stderr=True).status(what) as status, telling(lambda: status.update(f"{what} ({_COMPILING})")):
        yield
