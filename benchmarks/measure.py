"""Run a command and say how long it took and how much memory it needed at its peak."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    seconds: float
    peak_mb: float
    cpu: float  # seconds that processors worked for it


def run(
    *command: str,
    folder: Path | None = None,
    settings: Mapping[str, str] | None = None,
    statuses: Sequence[int] = (0,),
    out: Path | None = None,
) -> Measured:
    """A command in a process of its own; its output is kept back unless it fails, or goes `out` into a file."""
    start = time.perf_counter()
    environment = {**os.environ, **(settings or {})}
    errors = subprocess.STDOUT if out is None else None  # which are shown, then
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder, env=environment)
    output = process.stdout.read() if process.stdout else b""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in statuses:
        raise RuntimeError(output.decode())
    if out is not None:
        out.write_bytes(output)
    return Measured(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def deniable(*arguments: str) -> Measured:
    """The program itself, start-up included."""
    return run(sys.executable, "-m", "deniable", *arguments)


def bare(query: str) -> float:
    """A bare engine query in this process, answer to Arrow; seconds."""
    import duckdb

    connection = duckdb.connect()
    start = time.perf_counter()
    connection.sql(query).to_arrow_table()
    return time.perf_counter() - start


def copied(query: str) -> float:
    """A bare COPY in this process; seconds."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = false")
    start = time.perf_counter()
    connection.execute(query)
    return time.perf_counter() - start


def at_most(number: float, limit: float) -> str:
    """The limit that a figure is held to, and whether it keeps to it."""
    return f"(at most {limit:g}, {'met' if number <= limit else 'not met'})"


def at_least(number: float, limit: float) -> str:
    """The same from below."""
    return f"(at least {limit:g}, {'met' if number >= limit else 'not met'})"


def ratio(ours: float, base: float, limit: float) -> str:
    """How many times as much, with its limit."""
    return f"ratio {ours / base:.2f} {at_most(ours / base, limit)}"


def timed(work: Callable[[], object]) -> float:
    """Seconds of some work in this process."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def alternating(rounds: int, *parts: Callable[[], float]) -> list[float]:
    """The best time of each part, taken in turns so that noise hits all of them alike."""
    best = [float("inf")] * len(parts)
    for _ in range(rounds):
        for i, part in enumerate(parts):
            best[i] = min(best[i], part())
    return best
