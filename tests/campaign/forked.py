"""A command in a process that is killed on the way, or has no room for files."""

from __future__ import annotations

import io
import os
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deniable.private_folders import sweep_folders
from tests.history.faults import die_after

CALLS = ("open", "mkdir", "replace", "rename", "unlink", "rmdir", "fsync", "chmod", "close", "scandir", "listdir")


ATTEMPTS = 40  # until a kill strikes: not every run has the call that was aimed at so often


@dataclass(frozen=True)
class Kill:
    """After some seconds of work (CPU: others have no part in it), or the nth call of a function of `os`."""

    cpu: float = 0.0
    call: str = ""
    nth: int = 0


@dataclass(frozen=True)
class Ended:
    """The exit status (a signal is negative), what was said on standard error, and the CPU that it took."""

    status: int
    err: str
    cpu: float

    @property
    def was_killed(self) -> bool:
        return self.status in (-signal.SIGKILL, -signal.SIGPROF)


def any_kill(of: random.Random, takes: float) -> Kill:
    """Half of them aimed, half at any time of what a run takes."""
    if of.random() < 0.5:
        return Kill(cpu=of.random() * takes)
    return Kill(call=of.choice(CALLS), nth=of.choice((1, 2, 3, 4, 5, 8, 13, 21)))


def forked(arguments: Sequence[str], kill: Kill | None = None, limit: int | None = None) -> Ended:
    """Run a command in a process of its own; `limit` is how many bytes a file may have there."""
    said, err = os.pipe()
    child = os.fork()
    if not child:
        os.close(said)
        _run(arguments, kill, limit, err)
    os.close(err)
    with os.fdopen(said, errors="replace") as file:
        text = file.read()
    _, status, used = os.wait4(child, 0)
    sweep_folders(Path(tempfile.gettempdir()))  # as the next start of the program does
    return Ended(os.waitstatus_to_exitcode(status), text, used.ru_utime + used.ru_stime)


def _run(arguments: Sequence[str], kill: Kill | None, limit: int | None, err: int) -> None:
    status = 99
    try:
        os.dup2(err, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(io.FileIO(to, "w", closefd=False), line_buffering=True) for to in (1, 2)
        )
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if kill and kill.cpu:
            die_after(kill.cpu)
        if kill and kill.call:
            _aim(kill)
        from deniable.cli import run

        run(list(arguments))
    except SystemExit as stopped:
        status = stopped.code if isinstance(stopped.code, int) else 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _aim(kill: Kill) -> None:
    real, calls = getattr(os, kill.call), iter(range(1, 10**9))

    def wrapped(*arguments: Any, **named: Any) -> Any:
        done = real(*arguments, **named)
        if next(calls) == kill.nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    setattr(os, kill.call, wrapped)
