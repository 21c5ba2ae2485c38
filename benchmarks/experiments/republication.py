"""Re-publication at the size of the Cor-Split paper: what each algorithm costs, and what all releases together expose.

For every release: groups that are not hc-safe (Figure 7), counterfeits (Figure 8), the median relative error of COUNT
queries (Figure 9); and, which the paper never measured, the people exposed to the joint adversary who knows 1, 4 or
10 % of them, beside the paper's f.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks import turnover
from benchmarks.turnover import Setting
from deniable.analyses import generalized, utility
from deniable.analyses.coded import Column
from deniable.analyses.history.exposure import is_decided
from deniable.publish.history.choose import f
from deniable.publish.history.past import Grouping, History, Table
from deniable.publish.history.republish import cor_split, m_invariance
from deniable.publish.history.safe import unsafe_groups
from deniable.worlds.histories import History as Story
from deniable.worlds.histories import Knowledge, history
from deniable.worlds.history_joint import joint

M, N = 6, 3
KNOWN = (0.01, 0.04, 0.10)
SELECTIVITIES = (0.01, 0.05)
QUERIES = 1000
SECONDS = 20.0  # for the solver, each time
EVERY = 2  # releases between two looks of the adversary
ALGORITHMS: dict[str, Callable[[Table, History], Grouping]] = {
    "m-invariance": lambda table, past: m_invariance(table, past, M),
    "cor-split": lambda table, past: cor_split(table, past, M, N),
}


@dataclass(frozen=True)
class Row:
    """One release under one algorithm. Shares of people; None where it was not looked at."""

    setting: str
    algorithm: str
    release: int
    people: int
    groups: int
    unsafe: int
    counterfeits: int
    promised: float
    exposed: tuple[float | None, ...]  # by KNOWN
    undecided: tuple[float | None, ...]
    errors: tuple[float | None, ...]  # by SELECTIVITIES
    seconds: float  # of the algorithm


@dataclass(frozen=True, eq=False)
class Told:
    """What one release says: members and values by group."""

    member_sizes: NDArray[np.int64]
    members: NDArray[np.int64]
    value_sizes: NDArray[np.int64]
    values: NDArray[np.int64]


def measure(setting: Setting, seed: int = 1) -> Iterator[Row]:
    """Publish the setting's tables under each algorithm."""
    cells = turnover.columns()
    for name, publish in ALGORITHMS.items():
        past, story, values_of = History.empty(), [], np.zeros(0, np.int64)
        for number, (who, unit) in enumerate(turnover.present(setting, len(cells[turnover.PRIVATE]), seed), 1):
            table = table_of(cells, who, unit)
            start = time.perf_counter()
            made = publish(table, past)
            seconds = time.perf_counter() - start
            unsafe = len(unsafe_groups(table, past, made, N))
            past = past.extended(table, made)
            story.append(told(table, made))
            values_of = _grown(values_of, table)
            looks = number % EVERY == 1 or number == setting.releases
            exposed = [expose(story, values_of, share, seed) if looks else (None, None) for share in KNOWN]
            yield Row(
                setting.name, name, number, len(table), len(made.signature), unsafe, len(made.counterfeits),
                float(f(0.04, number, M, N)), tuple(e for e, _ in exposed), tuple(u for _, u in exposed),
                errors(table, made) if looks else (None,) * len(SELECTIVITIES), seconds,
            )  # fmt: skip


def table_of(cells: dict[str, NDArray[np.int64]], who: NDArray[np.int64], unit: NDArray[np.int64]) -> Table:
    quasi = tuple(cells[name][unit].astype(np.int32) for name in turnover.QUASI)
    return Table(who, quasi, cells[turnover.PRIVATE][unit].astype(np.int32))


def _grown(values_of: NDArray[np.int64], table: Table) -> NDArray[np.int64]:
    found = np.zeros(max(len(values_of), int(table.person.max()) + 1), np.int64)
    found[: len(values_of)] = values_of
    found[table.person] = table.values
    return found


def told(table: Table, made: Grouping) -> Told:
    """The release as its readers have it."""
    placed = np.flatnonzero(made.group >= 0)
    placed = placed[np.argsort(made.group[placed], kind="stable")]
    groups = len(made.signature)
    fakes = np.diff(made.counterfeit_starts)
    of_value = np.concatenate([made.group[placed], np.repeat(np.arange(groups), fakes)])
    values = np.concatenate([table.values[placed], made.counterfeits])
    order = np.argsort(of_value, kind="stable")
    sizes = np.bincount(made.group[placed], minlength=groups)
    return Told(sizes, table.person[placed], sizes + fakes, values[order])


def story_of(releases: Sequence[Told], people: int, values: int) -> Story:
    """All releases at once."""
    release = np.repeat(np.arange(len(releases)), [len(part.member_sizes) for part in releases])
    sizes = np.concatenate([part.member_sizes for part in releases])
    rooms = np.concatenate([part.value_sizes for part in releases])
    return history(
        people, values, release,
        np.concatenate([[0], np.cumsum(sizes)]), np.concatenate([part.members for part in releases]),
        np.concatenate([[0], np.cumsum(rooms)]), np.concatenate([part.values for part in releases]),
    )  # fmt: skip


def expose(releases: Sequence[Told], values_of: NDArray[np.int64], share: float, seed: int) -> tuple[float, float]:
    """The shares of unknown people who are exposed, and for whom that was not decided."""
    people = len(values_of)
    story = story_of(releases, people, int(values_of.max()) + 1)
    truth = values_of.astype(np.int32)
    who = np.random.default_rng(seed).permutation(people)[: round(share * people)].astype(np.int32)
    found = joint(story, Knowledge(who, truth[who]), truth, SECONDS)
    others = np.ones(people, np.bool_)
    others[who] = False
    exposed = np.count_nonzero(others & (found.number == 1))
    undecided = np.count_nonzero(others & ~is_decided(found))
    return float(exposed / others.sum()), float(undecided / others.sum())


def errors(table: Table, made: Grouping) -> tuple[float | None, ...]:
    """The median relative error of COUNT queries, by selectivity, as `utility` asks them."""
    found = release_of(table, made)
    rng = np.random.default_rng(0)
    asked = [
        utility.of_generalized(found, len(table.columns), share, QUERIES, rng).median_error for share in SELECTIVITIES
    ]
    return tuple(asked)


def release_of(table: Table, made: Grouping) -> generalized.Generalized:
    """Intervals of every column: all four are numbers to the algorithms."""
    part = told(table, made)
    groups = len(made.signature)
    placed = np.flatnonzero(made.group >= 0)
    order = placed[np.argsort(made.group[placed], kind="stable")]
    starts = np.cumsum(part.member_sizes) - part.member_sizes
    extents = []
    for column in table.columns:
        codes = int(column.max()) + 1
        low, high = np.minimum.reduceat(column[order], starts), np.maximum.reduceat(column[order], starts)
        ends, of_group = np.unique(low.astype(np.int64) * codes + high, return_inverse=True)
        place = np.arange(codes)
        allowed = (place >= (ends // codes)[:, None]) & (place <= (ends % codes)[:, None])
        extents.append(generalized.Extents(allowed, of_group))
    of_value = np.repeat(np.arange(groups), part.value_sizes)
    kinds = int(table.values.max()) + 1
    pairs, often = np.unique(of_value * kinds + part.values, return_counts=True)
    held = (pairs // kinds, pairs % kinds, often.astype(np.float64))
    names = [
        Column(str(c), tuple(map(str, range(int(column.max()) + 1))), True) for c, column in enumerate(table.columns)
    ]
    columns = (*names, Column("value", tuple(map(str, range(kinds))), False))
    codes_of = [column.astype(np.int32) for column in (*table.columns, table.values)]
    return generalized.Generalized(
        columns, codes_of, extents, part.member_sizes.astype(np.float64), part.value_sizes.astype(np.float64), held
    )  # fmt: skip
