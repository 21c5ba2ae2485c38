"""The Cor-Split paper's experiment as tables: tax units, some of whom are exchanged before each release.

Everybody who comes is a new respondent with the cells of a unit drawn at random from those who are not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deniable.publish.again.releases import Table

DATA = Path(__file__).parents[2] / "shared" / "data"  # real tables, which do not come with the project
UNITS = "units.parquet"
QUASI = ("age", "state", "filing", "members")
PRIVATE = "income_band"
M, N = 6, 3  # as in the paper

Longs = NDArray[np.int64]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class People:
    """Everybody who can be drawn: codes of the quasi-identifiers, and a value."""

    columns: tuple[Ints, ...]
    values: Ints

    def table(self, person: Longs, unit: Longs) -> Table:
        """The rows of some of them, under these person numbers."""
        return Table(person, tuple(np.ascontiguousarray(column[unit]) for column in self.columns), self.values[unit])


@dataclass(frozen=True)
class Setting:
    """How many people, which share of them is exchanged each time, and how often the table is published."""

    people: int
    turnover: float
    releases: int

    @property
    def name(self) -> str:
        return f"{self.people:,} people, {self.turnover:.0%} exchanged, {self.releases} releases"


LARGE = Setting(200_000, 0.10, 21)
SMALL = Setting(60_000, 0.33, 24)


def present(setting: Setting, units: int, seed: int) -> Iterator[tuple[Longs, Longs]]:
    """For each release the respondents who are there, and the unit that each of them is."""
    rng = np.random.default_rng(seed)
    who, unit = np.arange(setting.people), rng.permutation(units)[: setting.people]
    exchanged = int(setting.people * setting.turnover)
    for _ in range(setting.releases):
        yield who, unit
        stay = np.sort(rng.permutation(setting.people)[exchanged:])
        away = np.setdiff1d(np.arange(units), unit[stay], assume_unique=True)
        fresh = who.max() + 1 + np.arange(exchanged)
        who, unit = np.concatenate([who[stay], fresh]), np.concatenate([unit[stay], rng.permutation(away)[:exchanged]])


def columns(data: Path) -> dict[str, Longs]:
    """The units' cells as codes from 0 on, in the order of their values."""
    import duckdb

    names = ", ".join((*QUASI, PRIVATE))
    table = duckdb.connect().sql(f"SELECT {names} FROM read_parquet('{data / UNITS}') ORDER BY unit").to_arrow_table()
    return {name: np.unique(table.column(name).to_numpy(), return_inverse=True)[1] for name in table.column_names}


def units(data: Path = DATA) -> People:
    """The tax units."""
    cells = {name: codes.astype(np.int32) for name, codes in columns(data).items()}
    return People(tuple(cells[name] for name in QUASI), cells[PRIVATE])


def tables(people: People, setting: Setting, seed: int) -> Iterator[Table]:
    """The tables that are published one after the other."""
    for who, unit in present(setting, len(people.values), seed):
        yield people.table(who, unit)


def write_tables(setting: Setting, data: Path, folder: Path, seed: int) -> list[Path]:
    """The tables as Parquet files, which a release file can name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    cells = columns(data)
    units = len(cells[PRIVATE])
    paths = []
    for release, (who, unit) in enumerate(present(setting, units, seed), 1):
        table = {"person": who, **{name: column[unit] for name, column in cells.items()}}
        path = folder / f"table{release}.parquet"
        pq.write_table(pa.table(table), path)
        paths.append(path)
    return paths
