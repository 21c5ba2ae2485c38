"""Crowds: a generalized table beside pyCANON, five views beside a bare GROUP BY, a condition on a million salaries.

Claims: k and distinct l at least 20× faster than pyCANON with the same answers, on 600,000 generated rows and on the
Adult table; five-view crowds at most twice a bare GROUP BY of the same keys; a million rows with `charge > salary`
in seconds.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path

import duckdb

import deniable
from benchmarks.measure import alternating, at_least, ratio
from benchmarks.measure import deniable as program
from benchmarks.sizes import FULL, Sizes

PEERS = Path(__file__).parents[1] / ".venv-bench" / "bin" / "python"
ADULT = "adult.csv"
QUASI = ("age", "birthplace", "education", "gender")
ADULT_QUASI = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class",
)  # fmt: skip
VIEWS = {
    "ages": "SELECT age, disease FROM t WHERE birthplace < 20",
    "places": "SELECT birthplace, disease FROM t WHERE age < 30",
    "schools": "SELECT education, gender, disease FROM t",
    "genders": "SELECT gender, disease FROM t WHERE education > 5",
    "homes": "SELECT age, gender, disease FROM t WHERE birthplace IN (1, 2, 3)",
}
KEYS = """birthplace < 20, CASE WHEN birthplace < 20 THEN age END, age < 30, CASE WHEN age < 30 THEN birthplace END,
    education, gender, education > 5, CASE WHEN education > 5 THEN gender END, birthplace IN (1, 2, 3),
    CASE WHEN birthplace IN (1, 2, 3) THEN age END, CASE WHEN birthplace IN (1, 2, 3) THEN gender END"""


def main(sizes: Sizes = FULL) -> None:
    """Print one line for each claim."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = generate(folder, sizes.crowd_rows)
        bands = generalized(folder, table)
        against_peer("generated, ages in bands of five", bands, "disease", QUASI, sizes)
        if (sizes.data / ADULT).exists():
            for word, years in (("two", 2), ("five", 5)):
                table_of = adult(sizes.data / ADULT, folder, years)
                against_peer(f"adult, ages in bands of {word}", table_of, "occupation", ADULT_QUASI, sizes)
        else:
            print("adult: the table is not there")
        five_views(table, sizes)
        salaries(folder, sizes.salaries)


def generate(folder: Path, rows: int) -> Path:
    path = folder / "people.parquet"
    duckdb.connect().execute(
        f"""COPY (SELECT i AS id, (hash(i * 3 + 1) % 100)::INT AS age, (hash(i * 7 + 2) % 57)::INT AS birthplace,
            (hash(i * 5 + 3) % 17)::INT AS education, (hash(i * 11 + 5) % 2)::INT AS gender,
            'value ' || (hash(i * 13 + 7) % 50) AS disease FROM range({rows}) t(i)) TO '{path}'"""
    )
    return path


def generalized(folder: Path, table: Path) -> Path:
    path = folder / "bands.parquet"
    duckdb.connect().execute(f"COPY (SELECT * REPLACE (age // 5 AS age) FROM '{table}') TO '{path}'")
    return path


def adult(table: Path, folder: Path, years: int) -> Path:
    path = folder / "adult.parquet"
    duckdb.connect().execute(f"COPY (SELECT * REPLACE (age // {years} AS age) FROM '{table}') TO '{path}'")
    return path


def against_peer(name: str, table: Path, private: str, quasi: tuple[str, ...], sizes: Sizes) -> None:
    """Both start from a frame in memory; each has imported what it needs."""
    import pandas as pd  # type: ignore[import-untyped]

    frame = pd.read_parquet(table)
    release = deniable.Release(table=frame, private=private, quasi=quasi)
    answers: list[tuple[int, int | None]] = []

    def answer() -> float:
        start = time.perf_counter()
        result = deniable.crowds(release)
        answers.append((result.k, result.least_values))
        seconds = time.perf_counter() - start
        result.close()
        return seconds

    ours = min(answer() for _ in range(sizes.rounds(5)))
    if not PEERS.exists():
        print(f"{name}: {ours * 1000:.0f} ms; pyCANON is not installed (make bench)", flush=True)
        return
    command = [str(PEERS), str(Path(__file__).with_name("peers.py")), str(table), private, *quasi]
    peer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    ours = min(ours, *(answer() for _ in range(sizes.rounds(5))))
    if set(answers) != {(peer["k"], peer["l"])}:
        raise RuntimeError(f"{name}: {set(answers)} here, {peer} there")
    faster = peer["seconds"] / ours
    times = f"{ours * 1000:.0f} ms, pyCANON {peer['seconds'] * 1000:,.0f} ms, {faster:.0f}× {at_least(faster, 20)}"
    print(f"k = {peer['k']} and l = {peer['l']} of {len(frame):,} rows, {name}: {times}", flush=True)


def five_views(table: Path, sizes: Sizes) -> None:
    release = deniable.Release(table=table, name="t", identifier="id", private="disease", views=VIEWS)
    found: set[int] = set()

    def ours() -> float:
        start = time.perf_counter()
        result = deniable.crowds(release)
        found.add(result.count)
        seconds = time.perf_counter() - start
        result.close()
        return seconds

    def bare() -> float:
        start = time.perf_counter()
        grouped = f"SELECT {KEYS}, count(*) FROM '{table}' GROUP BY ALL"
        found.add(duckdb.connect().sql(grouped).to_arrow_table().num_rows)
        return time.perf_counter() - start

    mine, base = alternating(sizes.rounds(7), ours, bare)
    if len(found) != 1:
        raise RuntimeError(f"different numbers of crowds: {found}")
    told = f"{mine * 1000:.0f} ms, bare GROUP BY {base * 1000:.0f} ms, {ratio(mine, base, 2)}"
    print(f"five-view crowds of {sizes.crowd_rows:,} rows: {told}", flush=True)


def salaries(folder: Path, rows: int) -> None:
    """The whole program, in a process of its own, so that its memory is its own as well."""
    duckdb.connect().execute(
        f"""COPY (SELECT i AS id, (hash(i * 3 + 1) % 1000)::INT AS zip, (hash(i * 7 + 2) % 1000000)::INT AS charge,
            (hash(i * 13 + 7) % 1000000)::INT AS salary FROM range({rows}) t(i)) TO '{folder}/pay.parquet'"""
    )
    conditions = {
        "charge > salary": "charge > salary",
        "charge - salary > 1000 AND zip < 500": "charge - salary > 1000 AND zip < 500",
        "salary BETWEEN charge AND charge + 5000": "salary BETWEEN charge AND charge + 5000",
    }
    for name, condition in conditions.items():
        spec = folder / "pay.yaml"
        spec.write_text(
            "table: pay.parquet\nidentifier: id\nprivate: salary\n"
            f"views:\n  over: SELECT zip FROM pay WHERE {condition}\n"
        )
        measured = program("crowds", str(spec), "--json")
        told = f"{measured.seconds:.1f} s, peak {measured.peak_mb:,.0f} MB"
        print(f"{rows:,} rows, zip where {name}: {told}", flush=True)


if __name__ == "__main__":
    main()
