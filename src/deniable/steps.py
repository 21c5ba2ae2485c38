"""Where long work stands, told to whoever listens. Where nobody does, telling costs a look at a variable.

Steps have names, not words: what is shown of them is in `report.sentences.progress`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from deniable.frozen import frozen


@frozen
class Step:
    """A step of some work, and how much of it is done, where that can be counted."""

    name: str
    done: int = 0
    of: int | None = None
    share: float | None = None  # of its costs, where what is counted does not tell


Listener = Callable[[Step], None]
_listener: ContextVar[Listener | None] = ContextVar("_listener", default=None)


def reach(name: str, done: int = 0, of: int | None = None, share: float | None = None) -> None:
    """Say which step this is, and how far it is."""
    listener = _listener.get()
    if listener is not None:
        listener(Step(name, done, of, share))


@contextmanager
def telling_steps(listener: Listener | None) -> Iterator[None]:
    """Have steps told to somebody, or to nobody."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


@contextmanager
def whole_step(name: str, done: int = 0, of: int | None = None, share: float | None = None) -> Iterator[None]:
    """Something that has steps of its own, and is one for whoever listens."""
    reach(name, done, of, share)
    with telling_steps(None):
        yield
