"""Commands on a cluster of two workers, each with an executor that is a process of its own, which loses tasks and
executors in the middle of jobs.

`python -m tests.engines.losses FOLDER COMMAND…` runs commands in the folder, in which `rows/` is a table of several
Parquet files. It is there as `all_of_them` too, a view that a function of Python's computes: in the middle of a task it
kills the process of Python's, and the next time the executor, shuffled rows and all. Where a command reads the files,
all executors are killed between one question and the next. What commands said, and what was lost meanwhile, is printed
as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
from sqlglot import exp

from tests.engines import sparks

MASTER = "local-cluster[2,1,512]"
EXECUTOR = b"CoarseGrainedExecutorBackend"
VIEW, ROWS = "all_of_them", "rows/"
ILLNESS, PAY = "secret illness", "98765432100000"  # what cells begin with
PARTS = 4  # files, and tasks that read the view
# What is killed when the last rows of a task are due, by how often a task has come so far: the first are the same task
# over and over, then come those of further jobs.
LOST = {0: "task", 1: "executor", 5: "task", 9: "executor"}


def write_rows(folder: Path, people: int = 1_000) -> None:
    """People in groups, some of whom look the same."""
    columns: dict[str, Callable[[int], object]] = {
        "name": lambda i: f"P{i:06d}",
        "age": lambda i: 20 + i % 9,
        "zip": lambda i: f"220{i % 4:02d}",
        "gender": lambda i: "fm"[i % 2],
        "pay": lambda i: int(PAY) + i,
        "problem": lambda i: f"{ILLNESS} {i % 7 * (i % 3)}",
    }
    (folder / ROWS).mkdir(parents=True)
    for part in range(PARTS):
        numbers = range(part * people // PARTS, (part + 1) * people // PARTS)
        rows = pa.table({name: [cell(i) for i in numbers] for name, cell in columns.items()})
        pq.write_table(rows, folder / ROWS / f"{part}.parquet")


def executors() -> list[int]:
    """The processes of the cluster that this process has started."""
    return [number for number in _processes() if EXECUTOR in _line(number) and os.getpid() in _above(number)]


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _line(number: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_bytes()
    return b""


def _above(number: int) -> Iterator[int]:
    with suppress(OSError, IndexError):
        while number > 1:
            number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
            yield number


def losing(struck: Path) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Rows as they are, by a function that dies with them now and then."""

    def passed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        for batch in batches:
            yield batch.slice(0, batch.num_rows // 2)
            if TaskContext.get().partitionId() == 1:
                strike(struck)
            yield batch.slice(batch.num_rows // 2)

    return passed


def strike(struck: Path) -> None:
    """Count, and kill what is due; there is no coming back from either."""
    number = len(list(struck.iterdir()))
    lost = LOST.get(number, "nothing")
    (struck / f"{number} {lost}").touch(exist_ok=False)
    if lost == "executor":
        os.kill(next(one for one in _above(os.getpid()) if EXECUTOR in _line(one)), signal.SIGKILL)
    if lost != "nothing":
        os.kill(os.getpid(), signal.SIGKILL)


def make_view(session: Any, folder: Path, struck: Path) -> None:
    """The table as a view, whose rows were shuffled before they come to what kills."""
    struck.mkdir()
    rows = session.read.parquet(str(folder / ROWS)).repartition(PARTS, "zip", "name")
    rows.mapInArrow(losing(struck), rows.schema).createOrReplaceTempView(VIEW)


def lose_all() -> None:
    """Every executor there is, and whatever is kept in them."""
    for number in executors():
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


@contextmanager
def losing_all(every: int) -> Iterator[list[str]]:
    """Now and then, when something was stored, all executors are lost; how often."""
    from deniable.engines.spark import SparkEngine

    stored: list[str] = []
    store = SparkEngine.store

    def and_lose(engine: SparkEngine, name: str, query: Any) -> None:
        store(engine, name, query)
        stored.append("all" if len(stored) % every == 0 else "nothing")
        if stored[-1] == "all":
            lose_all()

    with mock.patch.object(SparkEngine, "store", and_lose):
        yield stored


def what_is_kept(folder: Path) -> list[Any]:
    """A table with the numbers of its rows, and an answer that was stored, read when every executor is another; and
    what is said of a cell that is too large."""
    from deniable.engines import opened
    from deniable.errors import EngineError, UnfitQuery

    with opened(MASTER) as engine:
        engine.attach(f"{folder}/{ROWS}", "t", text=(), types={}, folder=folder, row="place", own=True)
        engine.store("ages", exp.select("age", "count(*) AS n").from_("t").group_by("age"))
        lose_all()
        rows = exp.select("place", "name", "n").from_("t").join("ages", using=["age"]).order_by("place")
        found = engine.fetch(rows).to_pylist()
        try:
            engine.fetch(exp.select(exp.alias_(exp.cast(exp.column("pay"), "INT"), "n")).from_("t"))
        except (UnfitQuery, EngineError) as error:
            return [found, str(error)]
    raise AssertionError("pay is no small number")


def called(command: str) -> tuple[int, str, str]:
    """A command in this process: its status, and what it said."""
    from deniable.cli import run

    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            run([*command.split(), "--json", "--engine", MASTER])
        except SystemExit as stopped:
            return int(str(stopped.code)), out.getvalue(), err.getvalue()
    raise AssertionError("a command ends by itself")


def main(folder: Path, commands: list[str]) -> None:
    """What is kept, then the commands; those that read files lose executors between questions, the others in them."""
    sparks.prepare_cluster(folder / "spark")
    kept = what_is_kept(folder)
    from pyspark.sql import SparkSession

    os.chdir(folder / "there")
    said: list[object] = []
    for number, command in enumerate(commands):
        if "files" in command:
            with losing_all(every=4) as lost:
                said.append([*called(command), lost])
            continue
        struck = folder / f"struck-{number}"
        make_view(SparkSession._instantiatedSession, folder, struck)
        said.append([*called(command), [path.name.split()[1] for path in sorted(struck.iterdir())]])
    print(json.dumps({"kept": kept, "said": said}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
