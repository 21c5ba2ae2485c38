"""Processes that publish and are stopped on the way: killed at a step, at a call or at some time, or without room.

`Host` starts one process that imports everything once and forks a child for each job, so that a job costs no start-up.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.imports import everything

ROOT = Path(__file__).parents[2]
NAMES = ("one", "two", "three")  # of tables and their release files


@dataclass(frozen=True)
class Work:
    """A folder to publish in, the release file, its output folder, and the number that the release will have."""

    folder: Path
    spec: str
    out: str
    number: int


@dataclass(frozen=True)
class Job:
    """One `republish`. It dies at a step, after the nth call of a function (`before`: instead of it), or at a time.

    `was_killed` of what it ended with says whether it did.
    """

    spec: str
    out: str
    step: str = ""
    call: str = ""  # module:function
    nth: int = 1
    before: bool = False
    seconds: float | None = None
    cpu: float | None = None  # a time that other processes of the machine have no part in
    limit: int | None = None  # bytes that a file may have, from the step `limited` on
    limited: str = "start"
    audit: bool = False


@dataclass(frozen=True)
class Ended:
    """The exit status (a signal is negative), and what was said on standard error."""

    status: int
    err: str
    took: float
    cpu: float

    @property
    def was_killed(self) -> bool:
        return self.status in (-signal.SIGKILL, -signal.SIGPROF)


class Host:
    """The process that forks. `close` ends it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.history.faults"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "NUMBA_THREADING_LAYER": "workqueue"},  # the others refuse to be forked
        )  # fmt: skip

    def run(self, folder: Path, *jobs: Job) -> list[Ended]:
        """Run jobs in a folder, all at the same time."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([str(folder), [asdict(job) for job in jobs]]) + "\n")
        self.process.stdin.flush()
        return [Ended(**ended) for ended in json.loads(self.process.stdout.readline())]

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def table(first: int, last: int) -> str:
    """People first to last - 1; whoever has a number has the same cells in every table."""
    lines = ["name,age,city,problem\n"]
    for k in range(first, last):
        of = random.Random(k)
        lines.append(f"p{k},{of.randrange(20, 80)},{of.choice('abcdef')},{'uvwxyz'[k % 6]}\n")
    return "".join(lines)


def set_up(folder: Path) -> None:
    """Three tables of one population, with one ledger."""
    for k, name in enumerate(NAMES):
        (folder / f"{name}.csv").write_text(table(6 * k, 36 + 6 * k))
        (folder / f"{name}.yaml").write_text(
            f"table: {name}.csv\nidentifier: name\nquasi: [age, city]\nprivate: problem\n"
            "ledger: book.ledger\nrepublish: {m: 3, n: 2}\n"
        )


def _die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(cpu: float) -> None:
    """Be killed after so many seconds of work: nobody handles SIGPROF, which ends a process as SIGKILL does."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, max(cpu, 1e-4))


def _dying(place: str, nth: int, before: bool) -> None:
    """Let the nth call of a function be the last thing that happens."""
    module, name = place.split(":")
    home = import_module(module)
    real: Callable[..., Any] = getattr(home, name)
    calls = 0

    def wrapped(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == nth and before:
            _die()
        done = real(*arguments, **named)
        if calls == nth:
            _die()
        return done

    setattr(home, name, wrapped)


def _publish(job: Job) -> None:
    from deniable.cli import run
    from tests.history.again import republish

    def reached(step: str) -> None:
        if step == job.step:
            _die()
        if step == job.limited and job.limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (job.limit, job.limit))

    def call(**_: Any) -> None:
        reached("start")
        republish(job.spec, job.out, audit=job.audit, reached=reached)

    if job.cpu is not None:
        die_after(job.cpu)
    if job.call:
        _dying(job.call, job.nth, job.before)
    run([], call)


def _child(folder: str, job: Job, err: int) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.dup2(err, 2)
        os.chdir(folder)
        _publish(job)
        status = 0
    except SystemExit as stopped:
        status = int(str(stopped.code))
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _run(folder: str, jobs: list[Job]) -> list[dict[str, Any]]:
    started = []
    for job in jobs:
        said, err = os.pipe()  # no file: it has room when files have none
        started.append((_child(folder, job, err), said, time.monotonic()))
        os.close(err)
    ended = []
    for job, (child, said, begun) in zip(jobs, started, strict=True):
        if job.seconds is not None:
            time.sleep(job.seconds)
            os.kill(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
        times = {"took": time.monotonic() - begun, "cpu": used.ru_utime + used.ru_stime}
        with os.fdopen(said) as file:
            ended.append({"status": os.waitstatus_to_exitcode(status), "err": file.read(), **times})
    return ended


def _serve() -> None:
    everything()
    for line in sys.stdin:
        folder, jobs = json.loads(line)
        print(json.dumps(_run(folder, [Job(**job) for job in jobs])), flush=True)


if __name__ == "__main__":
    _serve()
