"""Three views and more: cost against rows, and real microdata whose join nobody could list.

Claims: for a chain of three views the log-log slope of time against rows (10^4 to 10^7) is at
most 1.1; three views of the workers table are answered in under a minute, every true
association, both adversaries, at least 99 % of them within 1e-6.
"""

from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path

import duckdb

import deniable
from benchmarks.measure import at_least, at_most
from benchmarks.sizes import FULL, Sizes
from deniable.analyses.breach.engine_answers import EngineAnswers
from deniable.sql.build import select

VIEWS = {
    "people": "SELECT id, a FROM t",
    "between": "SELECT a, b FROM t",
    "values": "SELECT b, p FROM t",
}
WORKERS = "workers.parquet"
SHAPES = {
    "chain": ("person, age, sex", "age, education, birthplace", "education, birthplace, occupation"),
    "overlap": ("person, age, sex", "age, sex, education", "education, race, occupation"),
    "star": ("person, age, birthplace", "age, education", "birthplace, occupation"),
    "cycle of four": ("person, age, sex", "age, marital", "sex, education", "marital, education, occupation"),
}


def main(sizes: Sizes = FULL) -> None:
    """Print a table of ratios, the slope, and one line per shape."""
    slope(sizes)
    table = sizes.data / WORKERS
    if not table.exists():
        print("workers: the table is not there")
        return
    for name, columns in SHAPES.items():
        workers(table, name, columns)


def slope(sizes: Sizes) -> None:
    with tempfile.TemporaryDirectory() as name:
        times = []
        answer(generate(Path(name), min(1_000, *sizes.chain_rows)))  # compiled code is cached, modules are loaded
        for rows in sizes.chain_rows:
            table = generate(Path(name), rows)
            best = min(answer(table) for _ in range(sizes.rounds(2)))
            base = min(bare(table) for _ in range(sizes.rounds(2)))
            times.append(best)
            told = f"{best:6.2f} s, its bare GROUP BYs {base:6.2f} s, ratio {best / base:.1f}"
            print(f"chain of three, {rows:>10,} rows: {told}", flush=True)
    x = [math.log(rows) for rows in sizes.chain_rows]
    y = [math.log(seconds) for seconds in times]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    fitted = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)
    last = (y[-1] - y[-2]) / (x[-1] - x[-2])
    print(f"slope {fitted:.2f} over all, {last:.2f} over the last decade {at_most(max(fitted, last), 1.1)}", flush=True)


def generate(folder: Path, rows: int) -> Path:
    """A survey: 100 ages, 1,000 places, 50 values that depend on the place."""
    path = folder / f"{rows}.parquet"
    duckdb.connect().execute(
        f"""COPY (SELECT i AS id, hash(i * 3 + 1) % 100 AS a, hash(i * 7 + 2) % 1000 AS b,
            'value ' || ((hash(i * 5 + 3) % 50 + hash(i * 7 + 2) % 20) % 50) AS p
            FROM range({rows}) t(i)) TO '{path}'"""
    )
    return path


def answer(table: Path) -> float:
    start = time.perf_counter()
    result = deniable.breach(deniable.Release(table=table, name="t", identifier="id", private="p", views=VIEWS))
    tallies = result.tallies
    seconds = time.perf_counter() - start
    if tallies[0].associations < 1:
        raise RuntimeError("nothing was answered")
    result.close()
    return seconds


def bare(table: Path) -> float:
    """The same counting, with nothing decided: the views, and who has what."""
    connection = duckdb.connect()
    start = time.perf_counter()
    for columns in ("id, a", "a, b", "b, p", "id, p"):
        grouped = f"SELECT {columns}, count(*) FROM '{table}' GROUP BY {columns}"
        connection.execute(f"SELECT count(*) FROM ({grouped})").fetchall()
    return time.perf_counter() - start


def workers(table: Path, name: str, columns: tuple[str, ...]) -> None:
    views = {f"view{i}": f"SELECT {names} FROM t" for i, names in enumerate(columns)}
    release = deniable.Release(table=table, name="t", identifier="person", private="occupation", views=views)
    start = time.perf_counter()
    result = deniable.breach(release)
    tallies = result.tallies
    seconds = time.perf_counter() - start
    answers, scope = result.answers, result.bound.scope
    if not isinstance(answers, EngineAnswers) or answers.bundles is None:
        raise RuntimeError("three views are answered in the engine")
    width = "greatest(unrestricted_upper - unrestricted_lower, coalesce(restricted_upper - restricted_lower, 0))"
    shares = select(
        "CAST(sum(s) FILTER (WHERE method = 0) AS DOUBLE) / sum(s) AS counts",
        f"CAST(sum(s) FILTER (WHERE {width} <= 1e-6) AS DOUBLE) / sum(s) AS narrow",
    ).from_(answers.counted[0][0].as_("answers"))
    found = scope.fetch(shares).to_pylist()[0]
    counts = select("count(*) AS bundles", "sum(n) AS tuples").from_(answers.bundles.as_("bundles"))
    join = scope.fetch(counts).to_pylist()[0]
    result.close()
    print(
        f"workers, {name}: {join['tuples']:,.0f} join tuples in {join['bundles']:,} bundles, "
        f"{tallies[0].associations:,} associations in {seconds:.1f} s {at_most(seconds, 60)}, "
        f"{found['counts']:.3%} by counts alone, {found['narrow']:.3%} within 1e-6 {at_least(found['narrow'], 0.99)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
