"""How large everything is that is measured; or as small as can be, so that every line of a benchmark still runs.

What `python -m benchmarks --smallest` prints are no measurements: it is there for the tests. It needs no table that
does not come with the project, since small tables of the same shape stand in for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from benchmarks.turnover import DATA, LARGE, SMALL, Setting


@dataclass(frozen=True)
class Sizes:
    """Rows, groups, releases; `data` is the folder of the real tables."""

    data: Path = DATA
    most_rounds: int = 15
    # breach_pairs, breach_many
    pair_rows: int = 10_000_000
    pair_groups: int = 100_000
    chain_rows: tuple[int, ...] = (10_000, 100_000, 1_000_000, 10_000_000)
    # first_answer
    columns: tuple[int, ...] = (1_000, 10_000)
    # engines
    engine_rows: tuple[int, ...] = (100_000, 1_000_000)
    # scale
    scale_rows: tuple[int, ...] = (100_000, 1_000_000, 10_000_000)
    scale_engines: tuple[str, ...] = ("embedded", "postgresql", "spark")
    # crowds
    crowd_rows: int = 600_000
    salaries: int = 1_000_000
    # repair
    repair_rows: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    # reports
    report_rows: tuple[int, ...] = (10_000, 1_000_000)
    # posteriors, bucketize, grouping
    groups: int = 100_000
    group_size: int = 10
    groups_of_peer: int = 2_000
    bucketize_rows: int = 600_000
    tables: int = 300
    runs_of_world: int = 40
    # history, attack, stable, refill
    large: Setting = LARGE
    small: Setting = SMALL
    seconds: float = 10.0  # for the joint adversary, where exact answers take longer
    seeds: int = 5
    queries: int = 1_000
    first_releases: tuple[tuple[int, int], ...] = ((60_000, 12), (2_000, 320))  # people, and how often
    units: int = 200_000  # of whom the refill adversary's skewed people are drawn

    def rounds(self, wanted: int) -> int:
        """How often something is timed."""
        return min(wanted, self.most_rounds)


FULL = Sizes()


@contextmanager
def smallest() -> Iterator[Sizes]:
    """As small as can be, with tables that stand in for the real ones."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        stand_in(folder)
        yield Sizes(
            data=folder,
            most_rounds=1,
            pair_rows=100,
            pair_groups=20,
            chain_rows=(10, 30),
            columns=(6,),
            crowd_rows=300,
            salaries=60,
            repair_rows=(40,),
            report_rows=(40,),
            engine_rows=(200,),
            scale_rows=(300, 600),
            scale_engines=("embedded", "postgresql"),
            groups=8,
            group_size=4,
            groups_of_peer=3,
            bucketize_rows=60,
            tables=3,
            runs_of_world=2,
            large=Setting(60, 0.2, 3),
            small=Setting(60, 0.33, 3),
            seconds=0.5,
            seeds=1,
            queries=20,
            first_releases=((60, 2), (60, 2)),
            units=120,
        )


def stand_in(folder: Path, rows: int = 120, workers: int = 80) -> None:
    """Small tables with the columns of the real ones; fewer workers, since to group them takes longest."""
    connection = duckdb.connect()
    for name, columns in STAND_INS.items():
        cells = [
            f"{prefix} || hash(i * {7 + 2 * k}) % {codes} AS {column}" if prefix else
            f"(hash(i * {7 + 2 * k}) % {codes})::INT AS {column}"
            for k, (column, codes, prefix) in enumerate(columns[1:])
        ]  # fmt: skip
        count = workers if name == WORKERS else rows
        made = f"SELECT i AS {columns[0][0]}, {', '.join(cells)} FROM range({count}) t(i)"
        connection.execute(f"COPY ({made}) TO '{folder / name}'")


WORKERS = "workers.parquet"
Column = tuple[str, int, str]  # its name, how many codes it has, and what stands before a code that is a text
STAND_INS: dict[str, tuple[Column, ...]] = {
    "units.parquet": (
        ("unit", 0, ""), ("age", 20, ""), ("state", 10, ""), ("filing", 4, ""), ("members", 5, ""),
        ("income_band", 12, ""),
    ),
    WORKERS: (
        ("person", 0, ""), ("age", 10, ""), ("sex", 2, "'sex '"), ("race", 3, "'race '"),
        ("education", 4, "'education '"), ("marital", 3, "'marital '"), ("birthplace", 3, "'place '"),
        ("occupation", 6, "'occupation '"),
    ),
    "adult.csv": (
        ("person", 0, ""), ("sex", 2, "'sex '"), ("age", 30, ""), ("race", 2, "'race '"),
        ('"marital-status"', 2, "'marital '"), ("education", 3, "'education '"), ('"native-country"', 2, "'country '"),
        ("workclass", 2, "'class '"), ('"salary-class"', 2, "'salary '"), ("occupation", 4, "'occupation '"),
    ),
}  # fmt: skip
