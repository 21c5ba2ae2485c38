"""How the analyses grow from 10^5 rows to 10^7 on each engine of one machine: CPU seconds of all that works for them,
rows that come to this process, and on Spark the bytes that are shuffled; single runs.

The table is the same thousand groups of about a hundred people over and over, so that ten times the people are in ten
times the groups, of the same kinds. Claim: the rows that come to this process are as many at 10^6 people as at 10^5.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from tests.engines import servers, sparks

import deniable
from benchmarks import engines, measure
from benchmarks.sizes import FULL, Sizes
from deniable.engines import open_engine

VIEWS = {"people": "SELECT id, j FROM t", "values": "SELECT j, p FROM t"}
BARE = "SELECT j, count(DISTINCT id), count(DISTINCT p) FROM {table} GROUP BY j"
MEMORY = "6g"  # of Spark, unless the machine says otherwise


class Place(NamedTuple):
    """An engine, and what the benchmark needs of it."""

    engine: str
    kind: Any  # the class
    load: Callable[[pa.Table, str], str]  # a table; how the release names it
    bare: Callable[[str], object]  # the query, by that name
    seconds: Callable[[], float]  # of processors, so far
    shuffled: Callable[[], float]  # bytes, so far


class Taken(NamedTuple):
    """What some work took."""

    cpu: float
    seconds: float
    rows: int | None  # fetched, where an engine counts them
    shuffled: float

    def __str__(self) -> str:
        moved = f", {self.shuffled / 1e6:,.1f} MB shuffled" if self.shuffled else ""
        rows = "" if self.rows is None else f", {self.rows:,} rows fetched"
        return f"CPU {self.cpu:.2f} s ({self.seconds:.2f} s by the clock){moved}{rows}"


def main(sizes: Sizes = FULL) -> None:
    """Print a line for each engine, size and command."""
    for name in sizes.scale_engines:
        with tempfile.TemporaryDirectory() as made, PLACES[name](Path(made)) as place:
            if name == "spark":  # Java compiles what all of them need
                for _, work in works(place, tables(place, Path(made), 1_000, 1_000), Path(made)):
                    work()
            before: dict[str, int | None] = {}
            for rows in sizes.scale_rows:
                for command, taken in measured(place, Path(made), rows, sizes.scale_rows[0]):
                    print(
                        f"{name}, {rows:,} rows, {command}: {taken}{beside(before.get(command), taken.rows)}",
                        flush=True,
                    )
                    before[command] = taken.rows


def beside(before: int | None, rows: int | None) -> str:
    """What is claimed of rows, where there is something to compare with."""
    if before is None:
        return ""
    return f", as many as of fewer people: {'met' if rows == before else f'not met, those were {before:,}'}"


def table_of(rows: int, same: int) -> pa.Table:
    """The same people over and over, by other names and in other groups."""
    random = np.random.default_rng(1)
    groups, values = random.integers(0, max(1, same // 100), same), random.zipf(1.5, same) % 40
    times = -(-rows // same)
    numbers = pa.array(np.arange(times * same))
    names = pc.binary_join_element_wise("P", pc.utf8_lpad(pc.cast(numbers, pa.string()), 9, "0"), "")
    apart = np.repeat(np.arange(times) * (groups.max() + 1), same)
    sexes = pa.array(["female", "male"]).take(pa.array(np.arange(times * same) % 2))
    illnesses = pa.array([f"illness {value}" for value in range(40)]).take(pa.array(np.tile(values, times)))
    return pa.table({"id": names, "j": np.tile(groups, times) + apart, "s": sexes, "p": illnesses}).slice(0, rows)


def tables(place: Place, folder: Path, rows: int, same: int) -> tuple[str, bool]:
    """The table there, and whether it is small enough for published groups, which are files that are read here."""
    table = table_of(rows, same)
    name = place.load(table, f"t{rows}")
    small = rows <= 1_000_000
    if small:
        pq.write_table(table.select(["s", "j"]).rename_columns(["s", "g"]), folder / "people.parquet")
        pq.write_table(table.select(["j", "p"]).rename_columns(["g", "p"]), folder / "values.parquet")
    return name, small


def works(place: Place, table: tuple[str, bool], folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each command by its name."""
    name, small = table
    roles: dict[str, Any] = {"table": name, "name": "t", "identifier": "id", "private": "p"}
    release = deniable.Release(**roles, views=VIEWS)

    def breach() -> None:
        result = deniable.breach(release, engine=place.engine)
        result.save(folder / "out.parquet")
        result.close()
        (folder / "out.parquet").unlink()

    yield "bare", lambda: place.bare(name)
    yield "audit", lambda: deniable.audit(release, engine=place.engine, breach=0.5)
    yield "crowds", lambda: deniable.crowds(release, engine=place.engine).close()
    if small:
        yield "linkage", lambda: deniable.linkage(published(roles, folder), engine=place.engine).close()
    yield "breach --out", breach


def published(roles: dict[str, Any], folder: Path) -> deniable.Release:
    """The join groups as published ones, read by somebody who knows the values of men and of women."""
    files = deniable.Published(folder / "people.parquet", folder / "values.parquet", group="g")
    knowledge = [deniable.Knowledge(given=("s",), estimate=True)]
    return deniable.Release(**roles, quasi=["s"], published=files, knowledge=knowledge)


def measured(place: Place, folder: Path, rows: int, same: int) -> Iterator[tuple[str, Taken]]:
    """One size."""
    for name, work in works(place, tables(place, folder, rows, same), folder):
        fetched: list[int] = []
        close = place.kind.close

        def closed(engine: Any, close: Any = close, fetched: list[int] = fetched) -> None:
            fetched.extend([engine.fetched] if hasattr(engine, "fetched") else [])
            close(engine)

        cpu, moved, start = place.seconds(), place.shuffled(), time.perf_counter()
        with mock.patch.object(place.kind, "close", closed):
            work()
        seconds = time.perf_counter() - start
        yield name, Taken(place.seconds() - cpu, seconds, sum(fetched) if fetched else None, place.shuffled() - moved)


@contextmanager
def embedded(folder: Path) -> Iterator[Place]:
    """Parquet files, read in this process."""
    from deniable.engines.duckdb import DuckDBEngine

    yield Place(
        "duckdb",
        DuckDBEngine,
        lambda rows, name: in_file(rows, folder / f"{name}.parquet"),
        lambda table: measure.bare(BARE.format(table=f"'{table}'")),
        spent,
        nothing,
    )


@contextmanager
def postgresql(_: Path) -> Iterator[Place]:
    """A server of its own."""
    from adbc_driver_postgresql import dbapi

    from deniable.engines.postgres import PostgresEngine

    server = servers.start(servers.short_folder(f"scale-{os.getpid()}"))

    def load(rows: pa.Table, name: str) -> str:
        with dbapi.connect(server.address()) as connection, connection.cursor() as cursor:
            cursor.adbc_ingest(name, rows, mode="create")
            connection.commit()
        server.run(f"ANALYZE {name}")
        return name

    def seconds() -> float:
        time.sleep(0.5)  # a session is counted when it has ended
        return engines._seconds(server)

    try:
        yield Place(
            server.address(), PostgresEngine, load, lambda table: server.run(BARE.format(table=table)), seconds, nothing
        )
    finally:
        servers.stop(server.folder)


@contextmanager
def spark(folder: Path) -> Iterator[Place]:
    """One process of Java's with two threads."""
    from deniable.engines.spark import SparkEngine

    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", f"--driver-memory {MEMORY} pyspark-shell")
    engine = open_engine(sparks.MASTER)
    assert isinstance(engine, SparkEngine)
    session, context = engine._session, engine._context
    process = context._gateway.proc.pid

    def shuffled() -> float:
        return float(context._jsc.sc().statusStore().executorList(False).head().totalShuffleWrite())

    def bare(table: str) -> None:
        session.sql(BARE.format(table=f"parquet.`{table}`")).toArrow()

    def seconds() -> float:
        return spent() + below(process)

    try:
        yield Place(sparks.MASTER, SparkEngine, lambda rows, name: in_file(rows, folder / f"{name}.parquet"), bare,
                    seconds, shuffled)  # fmt: skip
    finally:
        engine.close()


PLACES = {"embedded": embedded, "postgresql": postgresql, "spark": spark}


def in_file(rows: pa.Table, path: Path) -> str:
    """A table as Parquet, in parts that can be read beside each other."""
    pq.write_table(rows, path, row_group_size=250_000)
    return str(path)


def nothing() -> float:
    """What is shuffled where there is nobody to shuffle with."""
    return 0.0


def spent() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def below(process: int) -> float:
    """CPU seconds of a process and of all that it has started."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            stats[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    of, grown = {process}, True
    while grown:
        more = {number for number, stat in stats.items() if int(stat[1]) in of} - of
        of, grown = of | more, bool(more)
    return sum(int(tick) for number in of if number in stats for tick in stats[number][11:13]) / os.sysconf(
        "SC_CLK_TCK"
    )


if __name__ == "__main__":
    main()
