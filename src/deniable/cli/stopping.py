"""Ctrl-C, whenever it comes: also while a database is at work, which would not hear of it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


class Stopped(BaseException):
    """Ctrl-C on its way out through those who would take a KeyboardInterrupt for their own."""


@dataclass
class Stop:
    """Whether Ctrl-C was pressed: whatever else goes wrong after it is no news."""

    seen: bool = False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Mind Ctrl-C as long as a command runs, unless somebody else does or nobody shall."""
    stop = Stop()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield stop
        return

    def pressed(number: int, frame: FrameType | None) -> None:
        stop.seen = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, pressed)
    try:
        with _watched():
            yield stop
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _watched() -> Iterator[None]:
    """A thread that hears of signals at once, and stops what databases are at; Python itself waits for them."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def watch() -> None:
        while signals := os.read(heard, 64):
            if signal.SIGINT in signals and "deniable.engines" in sys.modules:
                sys.modules["deniable.engines"].interrupt()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)
        thread.join()
        os.close(heard)
