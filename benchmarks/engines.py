"""The same analyses in PostgreSQL, on a server of their own: seconds by the clock, and CPU seconds of client and server
together; medians of rounds in which all take turns.

Claims, for a million rows, by the clock: `audit` of two views takes at most 3x the bare GROUP BY with two
COUNT(DISTINCT) on the same server, `breach --out` at most 6x the embedded engine's; and `audit`, `breach` and `crowds`
fetch no more rows than there are groups, ten times as few as there are people.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tests.engines import servers

import deniable
from benchmarks.sizes import FULL, Sizes
from deniable.engines.postgres import PostgresEngine

AUDIT, BREACH = 3.0, 6.0
VIEWS = {"people": "SELECT id, j FROM t", "values": "SELECT j, p FROM t"}
BARE = "SELECT j, count(DISTINCT id), count(DISTINCT p) FROM {table} GROUP BY j"


def main(sizes: Sizes = FULL) -> None:
    """Print a line for each command and size."""
    with tempfile.TemporaryDirectory() as made:
        server = servers.start(servers.short_folder(f"bench-{os.getpid()}"))
        try:
            for rows in sizes.engine_rows:
                measure(rows, server, Path(made), sizes.rounds(5))
        finally:
            servers.stop(server.folder)


def table_of(rows: int) -> pa.Table:
    """People in groups of a hundred, with one of forty values."""
    random = np.random.default_rng(1)
    names = [f"P{i:08d}" for i in range(rows)]
    groups, values = random.integers(0, max(1, rows // 100), rows), random.zipf(1.5, rows) % 40
    return pa.table({"id": names, "j": groups, "p": [f"illness {value}" for value in values]})


def measure(rows: int, server: servers.Server, folder: Path, rounds: int) -> None:
    """One size: bare, then ours on both engines, in turns."""
    from adbc_driver_postgresql import dbapi

    table, file = table_of(rows), folder / f"t{rows}.parquet"
    pq.write_table(table, file)
    with dbapi.connect(server.address()) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest(f"t{rows}", table, mode="create")
        connection.commit()
    server.run(f"ANALYZE t{rows}")
    roles: dict[str, Any] = {"identifier": "id", "private": "p", "views": VIEWS, "name": "t"}
    here, there = deniable.Release(table=str(file), **roles), deniable.Release(table=f"t{rows}", **roles)
    address = server.address()

    def breach(release: deniable.Release, engine: str) -> None:
        result = deniable.breach(release, engine=engine)
        result.save(folder / "out.parquet")
        result.close()

    works: dict[str, Callable[[], object]] = {
        "bare": lambda: server.run(BARE.format(table=f"t{rows}")),
        "embedded audit": lambda: deniable.audit(here, engine="duckdb", breach=0.5),
        "embedded breach": lambda: breach(here, "duckdb"),
        "audit": lambda: deniable.audit(there, engine=address, breach=0.5),
        "breach": lambda: breach(there, address),
        "crowds": lambda: deniable.crowds(there, engine=address),
    }
    taken: dict[str, list[Taken]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(measured(server, work))
    found = {name: Taken(*map(median, zip(*each, strict=True))) for name, each in taken.items()}
    bare, audited, written = found["bare"], found["audit"], found["breach"]
    embedded, crowded = found["embedded breach"], found["crowds"]
    print(f"{rows:>10,} rows: bare {bare}; audit {audited}, {audited.beside(bare)} (at most {AUDIT:g}x), "
          f"{audited.rows:,.0f} rows fetched; the embedded engine's {found['embedded audit']}")  # fmt: skip
    print(f"{'':>10}       breach --out {written}, {written.beside(embedded)} the embedded engine's {embedded} "
          f"(at most {BREACH:g}x), {written.rows:,.0f} rows fetched")  # fmt: skip
    print(f"{'':>10}       crowds {crowded}, {crowded.rows:,.0f} rows fetched", flush=True)


class Taken(NamedTuple):
    """What some work took: seconds by the clock, CPU seconds, and rows that came from the server."""

    seconds: float
    cpu: float
    rows: float

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s (CPU {self.cpu:.2f})"

    def beside(self, other: Taken) -> str:
        """How many times as much."""
        return f"{self.seconds / other.seconds:.1f}x (CPU {self.cpu / other.cpu:.1f}x)"


def measured(server: servers.Server, work: Callable[[], object]) -> Taken:
    """Some work, once."""
    start = time.perf_counter()
    spent, rows = cpu(server, work)
    return Taken(time.perf_counter() - start, spent, rows)


def cpu(server: servers.Server, work: Callable[[], object]) -> tuple[float, int]:
    """CPU seconds of this process, its children and the server; and how many rows came from it."""
    fetched: list[int] = []
    close = PostgresEngine.close

    def closed(engine: PostgresEngine) -> None:
        fetched.append(engine.fetched)
        close(engine)

    idle, before = _sessions(server), _seconds(server)
    with mock.patch.object(PostgresEngine, "close", closed):
        made = work()
        if hasattr(made, "close"):
            made.close()
    while _sessions(server) > idle:  # a session is counted when it has ended
        time.sleep(0.05)
    return _seconds(server) - before, sum(fetched)


def _sessions(server: servers.Server) -> int:
    """How many processes a server has started that have not ended."""
    main = _number(server)
    stats = [path.read_text() for path in Path("/proc").glob("[0-9]*/stat") if path.exists()]
    return sum(int(stat.rpartition(")")[2].split()[1]) == main for stat in stats)


def _number(server: servers.Server) -> int:
    with open(server.folder / "data" / "postmaster.pid") as file:
        return int(file.readline())


def _seconds(server: servers.Server) -> float:
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    mine = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    stat = Path(f"/proc/{_number(server)}/stat").read_text().rpartition(")")[2].split()
    return mine + sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
