"""Re-publication at the size of the Cor-Split paper: what each algorithm costs, and what all releases together expose.

For every release: groups that are not hc-safe (Figure 7), counterfeits (Figure 8), the median relative error of COUNT
queries (Figure 9); and, which the paper never measured, the people exposed to the joint adversary who knows 1, 4 or
10 % of them, beside the paper's f.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks import turnover
from benchmarks.experiments.republication.algorithms import ALGORITHMS, M, N, Published
from benchmarks.experiments.republication.results import KNOWN, SELECTIVITIES, Look, Row
from benchmarks.turnover import Setting
from deniable.analyses import generalized, utility
from deniable.analyses.coded import Column
from deniable.analyses.history.exposure import is_decided
from deniable.publish.history.choose import f
from deniable.publish.history.past import Grouping, Table
from deniable.worlds.histories import Knowledge
from deniable.worlds.history_exchange import can_exchange
from deniable.worlds.history_joint import joint

SOURCE = turnover.UNITS
SETTINGS = (turnover.LARGE, turnover.SMALL)
QUERIES = 1000
SECONDS = 4.0  # for deciding what propagation leaves open, each time
FIRST, EVERY = 6, 3
SEED = 1  # of who comes and goes, of who is known


def measure() -> Iterator[Row]:
    """Publish the tables of both settings under each algorithm."""
    cells = turnover.columns()
    for setting in SETTINGS:
        for name in ALGORITHMS:
            yield from of_algorithm(setting, name, cells)


def of_algorithm(setting: Setting, name: str, cells: dict[str, NDArray[np.int64]]) -> Iterator[Row]:
    units = len(cells[turnover.PRIVATE])
    tables = (table_of(cells, who, unit) for who, unit in turnover.present(setting, units, SEED))
    for number, made in enumerate(ALGORITHMS[name](tables), 1):
        if len(made.grouping.unplaced):
            raise RuntimeError("somebody was not published")
        yield Row(
            people=len(made.table),
            turnover=setting.turnover,
            algorithm=name,
            release=number,
            groups=len(made.grouping.signature),
            unsafe=made.unsafe,
            counterfeits=len(made.grouping.counterfeits),
            errors=errors(made.table, made.grouping) if is_asked(number) else (),
            looks=tuple(looks(made, number)) if is_looked_at(number) else (),
        )


def is_looked_at(release: int) -> bool:
    """The adversary looks at the first releases, where most happens, and then now and again."""
    return release <= FIRST or release % EVERY == 0


def is_asked(release: int) -> bool:
    """Queries take long, and their error changes little."""
    return release == 1 or release % EVERY == 0


def table_of(cells: dict[str, NDArray[np.int64]], who: NDArray[np.int64], unit: NDArray[np.int64]) -> Table:
    quasi = tuple(cells[name][unit].astype(np.int32) for name in turnover.QUASI)
    return Table(who, quasi, cells[turnover.PRIVATE][unit].astype(np.int32))


def looks(made: Published, releases: int) -> Iterator[Look]:
    """Of the people published so far whom the adversary does not know: who is exposed, and who is not decided."""
    story, truth, people = made.read()
    drawn = np.random.default_rng(SEED).permutation(people).astype(np.int32)
    for share in KNOWN:
        who = drawn[: round(share * people)]
        known = Knowledge(who, truth[who])
        found, safe = joint(story, known, truth, SECONDS), can_exchange(story, known, truth)
        others = np.arange(len(truth)) < people
        others[who] = False
        exposed, undecided = others & (found.number == 1), others & ~is_decided(found) & ~safe
        if np.any(exposed & safe):
            raise RuntimeError("somebody is both exposed and safe")
        yield Look(int(others.sum()), int(exposed.sum()), int(undecided.sum()), float(f(share, releases, M, N)))


def errors(table: Table, made: Grouping) -> tuple[float, ...]:
    """The median relative error of COUNT queries, by selectivity, as `utility` asks them."""
    found = release_of(table, made)
    rng = np.random.default_rng(SEED)
    asked = (utility.of_generalized(found, len(table.columns), share, QUERIES, rng) for share in SELECTIVITIES)
    return tuple(float("nan") if one.median_error is None else one.median_error for one in asked)


def release_of(table: Table, made: Grouping) -> generalized.Generalized:
    """Intervals of every column: all four are numbers to the algorithms."""
    groups, kinds = len(made.signature), int(table.values.max()) + 1
    fakes = np.diff(made.counterfeit_starts)
    sizes = np.bincount(made.group, minlength=groups)
    of_value = np.concatenate([made.group, np.repeat(np.arange(groups), fakes)]).astype(np.int64)
    pairs, often = np.unique(
        of_value * kinds + np.concatenate([table.values, made.counterfeits]), return_counts=True
    )  # fmt: skip
    columns = [
        Column(name, _texts(int(c.max()) + 1), True) for name, c in zip(turnover.QUASI, table.columns, strict=True)
    ]
    return generalized.Generalized(
        (*columns, Column(turnover.PRIVATE, _texts(kinds), False)),
        [*table.columns, table.values],
        _extents(table, made.group),
        sizes.astype(np.float64),
        (sizes + fakes).astype(np.float64),
        (pairs // kinds, pairs % kinds, often.astype(np.float64)),
    )


def _texts(codes: int) -> tuple[str, ...]:
    return tuple(map(str, range(codes)))


def _extents(table: Table, group: NDArray[np.int32]) -> list[generalized.Extents]:
    """Every group has somebody."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    found = []
    for column in table.columns:
        codes = int(column.max()) + 1
        low, high = np.minimum.reduceat(column[order], starts), np.maximum.reduceat(column[order], starts)
        ends, of_group = np.unique(low.astype(np.int64) * codes + high, return_inverse=True)
        place = np.arange(codes)
        allowed = (place >= (ends // codes)[:, None]) & (place <= (ends % codes)[:, None])
        found.append(generalized.Extents(allowed, of_group))
    return found
