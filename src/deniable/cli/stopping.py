"""Ctrl-C, a terminal that is closed and a polite kill, whenever they come: also while a database is at work, which
would not hear of them. Each ends the command as an error would, so that what is private and half made is removed."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

_STOPS: dict[signal.Signals, Any] = {  # and what happens usually
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}
_SOON = 0.01  # seconds until we are told again what nobody could hear
_SELDOM = 1.0  # seconds, at most, until what nobody minded is sent again
_IMPORTING = "<frozen importlib._bootstrap>"
_LOST = 0  # no signal has this number
_AGAIN = 1.0  # seconds; the same is said twice when a terminal is closed, and we are on our way out


class Stopped(BaseException):
    """Ctrl-C on its way out through those who would take a KeyboardInterrupt for their own, as click does."""


@dataclass
class Stop:
    """Whether we were told to stop, when first and by what: whatever else goes wrong after it is no news."""

    seen: bool = False
    at: float = 0.0
    number: int = signal.SIGINT


@contextmanager
def stoppable(stop: Stop | None = None, *, last: bool = False) -> Iterator[Stop]:
    """Mind what asks to stop as long as a command runs, unless somebody else does or nobody shall (nohup).

    It raises Stopped, also while this begins and ends. After the `last` one the process ends anyhow, and is not stopped
    while it removes what is private.
    """
    stop = stop or Stop()
    main = threading.current_thread() is threading.main_thread()
    minded = [number for number, usual in _STOPS.items() if main and signal.getsignal(number) is usual]
    if not minded:
        yield stop
        return

    heard, told = os.pipe()
    os.set_blocking(told, False)
    outside = sum(map(_imports, _callers(sys._getframe())))  # somebody's module may be what runs the command

    def pressed(number: int, frame: FrameType | None) -> None:
        if not stop.seen or time.monotonic() > stop.at + _AGAIN:
            stop.seen, stop.at, stop.number = True, time.monotonic(), number
            callers = list(_callers(frame))
            if not any(_tells(one) or _probes(one) for one in callers) and sum(map(_imports, callers)) == outside:
                raise Stopped
            _say_again(stop, told)

    with _watched(minded, heard, told, stop) as over, _not_swallowed(stop, told):
        try:
            for number in minded:
                signal.signal(number, pressed)
            yield stop
        finally:
            try:
                over()
            finally:
                for number in minded:
                    signal.signal(number, signal.SIG_IGN if last else _STOPS[number])


@contextmanager
def _watched(minded: list[signal.Signals], heard: int, told: int, stop: Stop) -> Iterator[Callable[[], None]]:
    """A thread that hears of signals at once, and stops what databases are at; Python itself waits for them.

    One that comes just before Python waits for a key would be minded at the next key only: what was not minded soon is
    sent again, and seldomer each time, since somebody may be busy. Nothing is sent once `over` was called: signals may
    end the process then.
    """
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    main, done, sending = threading.get_ident(), threading.Event(), threading.Lock()

    def over() -> None:
        with sending:
            done.set()

    def send(number: int, soon: float, *, unless_seen: bool) -> None:
        done.wait(soon)
        with sending:
            if not done.is_set() and not (unless_seen and stop.seen):
                signal.pthread_kill(main, number)

    def watch() -> None:
        soon = _SOON
        while signals := os.read(heard, 64):
            asked = [number for number in minded if number in signals]
            if asked:
                _interrupt()
            if _LOST in signals:
                send(stop.number, _SOON, unless_seen=False)
            elif asked and not stop.seen:
                send(asked[0], soon, unless_seen=True)
                soon = min(2 * soon, _SELDOM)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield over
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(told)
        thread.join()
        os.close(heard)


@contextmanager
def _not_swallowed(stop: Stop, told: int) -> Iterator[None]:
    """Where Python calls something in passing (an object's end, the lock of an import), what that raises is printed and
    forgotten, Ctrl-C too: then it is not printed, and comes again when that place is left."""
    main, before = threading.get_ident(), sys.unraisablehook

    def _unraisable(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, (KeyboardInterrupt, Stopped)) and threading.get_ident() == main:
            _say_again(stop, told)
        else:
            before(lost)

    sys.unraisablehook = _unraisable
    try:
        yield
    finally:
        sys.unraisablehook = before


def _say_again(stop: Stop, told: int) -> None:
    """Have what nobody could hear said once more, as news, a little later."""
    stop.at = -math.inf
    os.write(told, bytes([_LOST]))


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    """The frame, what called it, and so on."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _tells(frame: FrameType) -> bool:
    """Whether an exception is told there that nobody hears: another would not be heard either."""
    return frame.f_code.co_name == "_unraisable"


def _probes(frame: FrameType) -> bool:
    """Whether Python looks there for a place for temporary files, by a file that it writes and removes: stopped just
    when that is open, it leaves it."""
    return frame.f_code.co_name == "_get_default_tempdir"


def _imports(frame: FrameType) -> bool:
    """Whether a module is imported there, which takes no time to speak of: half of one may leave locks behind, or end
    the process, as libraries do whose C++ has no word for what Python raises."""
    return frame.f_code.co_filename == _IMPORTING


def _interrupt() -> None:
    """Stop what engines are at; those that are being imported right now are at nothing yet."""
    interrupt = getattr(sys.modules.get("deniable.engines"), "interrupt", None)
    if interrupt is not None:
        interrupt()
