"""Groups on real microdata: who is exposed to background knowledge, and what safety costs.

For each knowledge and r: the robust release, and plain l-diverse groups with l = r, of any people and of neighbours.
Each is audited by `worlds.groups` (posteriors of all groups, with their rounding), and answers the random COUNT
queries of `utility`. Rows of numbers go to a csv file; `results` and `plots` show them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from benchmarks.bucketize import estimated
from benchmarks.experiments.background_knowledge.results import SELECTIVITIES, Row
from benchmarks.turnover import DATA
from deniable.analyses import utility
from deniable.analyses.coded import Column
from deniable.publish.bucketize import anatomy
from deniable.publish.bucketize.robust import KnownPriors, place
from deniable.worlds.groups import batches as worlds

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

SOURCE = DATA / "workers.parquet"
QUASI = ("age", "sex", "race", "education", "marital", "birthplace")
PRIVATE = "occupation"
SETS: dict[str, list[tuple[str, ...]]] = {
    "sex": [("sex",)],
    "education": [("education",)],
    "age": [("age",)],
    "all three, each": [("sex",), ("education",), ("age",)],
    "(sex, education)": [("sex", "education")],
}
RS = (2, 4, 8)
QUERIES, SEED = 1000, 0


@dataclass(frozen=True)
class Table:
    """The table as codes."""

    columns: tuple[Column, ...]
    quasi: list[Ints]
    values: Ints

    def signatures(self, names: Sequence[str]) -> Ints:
        return joint([self.quasi[QUASI.index(name)] for name in names])


def measure() -> Iterator[Row]:
    """Three rows for each knowledge and r, as soon as they are known."""
    table = read(SOURCE)
    place(table.quasi, table.values, [estimated(table.signatures(["race"]), table.values)], 2.0)  # compiled
    simple = {(kind, r): group_of for r in RS for kind, group_of in plain_releases(table, r)}
    errors = {key: query_errors(table, group_of) for key, group_of in simple.items()}
    for name, sets in SETS.items():
        knowledge = [estimated(table.signatures(names), table.values) for names in sets]
        for r in RS:
            start = time.perf_counter()
            made = place(table.quasi, table.values, knowledge, float(r))
            seconds = time.perf_counter() - start
            yield row(name, r, "robust", table, made.group_of, knowledge, seconds, query_errors(table, made.group_of))
            for (kind, l), group_of in simple.items():  # noqa: E741
                if l == r:
                    yield row(name, r, kind, table, group_of, knowledge, None, errors[kind, l])


def read(path: Path) -> Table:
    names = (*QUASI, PRIVATE)
    selected = duckdb.connect().execute(f"SELECT {', '.join(names)} FROM '{path}' ORDER BY person")
    columns, codes = [], []
    for name, cells in selected.fetchnumpy().items():
        different, code = np.unique(np.asarray(cells), return_inverse=True)
        is_number = np.issubdtype(different.dtype, np.number)
        columns.append(Column(name, tuple(map(str, different)), bool(is_number)))
        codes.append(code.astype(np.int32))
    return Table(tuple(columns), codes[:-1], codes[-1])


def joint(columns: Sequence[Ints]) -> Ints:
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        key = key * (int(column.max()) + 1) + column
    codes: Ints = np.unique(key, return_inverse=True)[1].astype(np.int32)
    return codes


def plain_releases(table: Table, l: int) -> Iterator[tuple[str, Ints]]:  # noqa: E741
    anybody = np.random.default_rng(l).permutation(len(table.values)).astype(np.int32)
    yield "plain, at random", anatomy.bucketize([anybody], table.values, l)
    yield "plain, neighbours", anatomy.bucketize(table.quasi, table.values, l)


def row(
    name: str,
    r: int,
    kind: str,
    table: Table,
    group_of: Ints,
    knowledge: Sequence[KnownPriors],
    seconds: float | None,
    errors: tuple[float, ...],
) -> Row:
    marginal, full = (audited(group_of, table.values, knowledge, r, is_full) for is_full in (False, True))
    placed = group_of[group_of >= 0]
    return Row(
        knowledge=name,
        r=r,
        release=kind,
        people=len(group_of),
        withheld=len(group_of) - len(placed),
        mean_size=len(placed) / len(np.unique(placed)),
        seconds=seconds,
        exposed_marginal=int(marginal[0].sum()),
        exposed_full=int(full[0].sum()),
        not_proved_safe=int((marginal[1] | full[1]).sum()),
        errors=errors,
    )


def audited(
    group_of: Ints, values: Ints, knowledge: Sequence[KnownPriors], r: float, is_full: bool
) -> tuple[Bools, Bools]:
    """Who certainly has a posterior above 1/r for some attribute set, and who is not proved to have none."""
    over, perhaps = np.zeros(len(values), np.bool_), np.zeros(len(values), np.bool_)
    rows = np.flatnonzero(group_of >= 0)
    groups = int(group_of.max()) + 1
    for known in knowledge:
        at, signatures, people, pair_of = tallied(group_of[rows], known.signatures[rows], groups)
        value_at, kinds, copies, _ = tallied(group_of[rows], values[rows], groups)
        asked = worlds.Groups(at, signatures, people, value_at, kinds, copies)
        answer = (worlds.full if is_full else worlds.marginal)(asked, known.priors)
        if answer.status.any():
            raise RuntimeError("a group has no answer")
        widths = np.repeat(np.diff(value_at), np.diff(at))
        starts = np.cumsum(widths) - widths
        for found, ends in zip((over, perhaps), worlds.intervals(answer, known.priors, is_full), strict=True):
            found[rows] |= (np.maximum.reduceat(ends, starts) > 1.0 / r)[pair_of]
    return over, perhaps


def tallied(group: Ints, code: Ints, groups: int) -> tuple[NDArray[np.int64], Ints, Ints, NDArray[np.int64]]:
    """Where each group starts among (group, code) pairs, their codes and counts, and each row's pair."""
    size = int(code.max()) + 1
    pairs, pair_of, counts = np.unique(group.astype(np.int64) * size + code, return_inverse=True, return_counts=True)
    starts = np.searchsorted(pairs, np.arange(groups + 1) * size)
    return starts.astype(np.int64), (pairs % size).astype(np.int32), counts.astype(np.int32), pair_of


def query_errors(table: Table, group_of: Ints) -> tuple[float, ...]:
    """Median relative errors by selectivity; every release is asked the same queries."""
    placed = np.flatnonzero(group_of >= 0)
    people = [column[placed] for column in table.quasi]
    group, values = group_of[placed], table.values[placed]
    rows = [*table.quasi, table.values]
    made = utility.CodedRelease(table.columns, rows, people, group, values, group, int(group_of.max()) + 1)
    rng = np.random.default_rng(SEED)
    errors = [utility.of_bucketized(made, share, QUERIES, rng) for share in SELECTIVITIES]
    return tuple(float("nan") if one.median_error is None else one.median_error for one in errors)
