"""Cases in processes of their own, many in each: one that hangs, dies or eats the memory is known by its number."""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.campaign.cheap import Dice, cheaply, close_databases, kept_folders

MEMORY = 6 << 30  # bytes of addresses, of which threads reserve many that they never use
SECONDS = 180.0  # for one case; the machine may be busy with others
_IN_A_PROCESS = 200  # cases
_RAM = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
_COLLECTED = 20  # cases after which garbage is


@dataclass(frozen=True)
class Kind:
    """Cases of one kind: what makes and judges one, how many a whole campaign and a slice have, what they are for.

    Those that are only about what is said of bad input are `cheap`.
    """

    name: str
    run: Callable[[Dice, Path], list[str]]
    full: int
    slice: int
    about: str
    cheap: bool = False


@dataclass(frozen=True)
class Case:
    """One case that was tried, and what was wrong with it."""

    kind: str
    seed: int
    problems: tuple[str, ...]


def judge(kind: Kind, seed: int, place: Path) -> list[str]:
    """Run one case in a fresh folder of this process."""
    folder = place / "case"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.chdir(folder)
    try:
        return kind.run(Dice(kind.name, seed), folder)
    except AssertionError as error:
        return [f"not as promised: {' '.join(str(error).split())[:300] or 'an assertion'}"]
    finally:
        os.chdir("/")


def tried(kind: Kind, seeds: Sequence[int], until: float = math.inf) -> Iterator[Case]:
    """All cases, in as many processes as it takes; `until` a time, after which none is begun."""
    waiting = list(seeds)
    while waiting and time.monotonic() < until:
        with tempfile.TemporaryDirectory(prefix="campaign-", dir=_RAM if kind.cheap else None) as name:
            for case in _in_a_process(kind, waiting[:_IN_A_PROCESS], Path(name), until):
                waiting.remove(case.seed)
                yield case


def _in_a_process(kind: Kind, seeds: list[int], place: Path, until: float) -> Iterator[Case]:
    heard, told = os.pipe()
    child = os.fork()
    if not child:
        os.close(heard)
        _work(kind, seeds, place, told, until)
    os.close(told)
    current, hangs = seeds[0], False
    try:
        for said in _heard(heard):
            if said is None:
                hangs = True
                break
            current = said["seed"]
            if "problems" in said:
                yield Case(kind.name, current, tuple(said["problems"]))
    finally:
        os.close(heard)
        status = _end(child, kill=hangs)
    if status:
        yield Case(kind.name, current, (f"more than {SECONDS:.0f} seconds" if hangs else f"died with {status}",))


def _heard(handle: int) -> Iterator[dict[str, Any] | None]:
    """What a process says of its cases, line by line; None where it says nothing for too long."""
    rest = b""
    while select.select([handle], [], [], SECONDS)[0]:
        block = os.read(handle, 1 << 16)
        if not block:
            return
        *lines, rest = (rest + block).split(b"\n")
        yield from (json.loads(line) for line in lines)
    yield None


def _end(child: int, *, kill: bool) -> int:
    if kill:
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _work(kind: Kind, seeds: list[int], place: Path, told: int, until: float) -> None:
    """What a process does until it ends."""
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        (place / "temporary").mkdir()
        tempfile.tempdir = str(place / "temporary")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if kind.cheap:
            cheaply()
        with os.fdopen(told, "w") as lines:
            for seed in seeds:
                if time.monotonic() > until:
                    break
                lines.write(json.dumps({"seed": seed}) + "\n")
                lines.flush()
                found = judge(kind, seed, place)
                if seed % _COLLECTED == 0 or seed == seeds[-1]:
                    found += _kept(is_last=seed == seeds[-1])
                lines.write(json.dumps({"seed": seed, "problems": found}) + "\n")
                lines.flush()
        status = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _kept(*, is_last: bool) -> list[str]:
    """What earlier cases hold among temporary files, though nobody uses it any more."""
    gc.collect()
    kept = close_databases() if is_last else kept_folders()
    return [f"held among temporary files: {', '.join(kept)[:200]}"] if kept else []
