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
from benchmarks.experiments.republication.algorithms import ALGORITHMS, TURNED, Algorithm, Published
from benchmarks.experiments.republication.results import KNOWN, SELECTIVITIES, Look, Row
from benchmarks.turnover import M, N, Setting
from deniable.analyses import generalized, utility
from deniable.analyses.coded import Column
from deniable.analyses.history.exposure import exposed_to
from deniable.analyses.history.ledger_history import LedgerHistory
from deniable.publish.again.n_choose import f
from deniable.publish.again.releases import Grouping, Table

SOURCE = turnover.DATA / turnover.UNITS
SETTINGS = (turnover.LARGE, turnover.SMALL)
QUERIES = 1000
SECONDS = 4.0  # for deciding what propagation leaves open, each time
FIRST, EVERY = 6, 3
SEED = 1  # of who comes and goes, of who is known


def measure() -> Iterator[Row]:
    """Publish the tables of both settings under each algorithm."""
    people = turnover.units()
    for setting in SETTINGS:
        for name, algorithm in ALGORITHMS.items():
            for number, made in released(setting, algorithm, people):
                yield row_of(setting, name, number, made, is_asked(number), is_looked_at(number))
        for name, algorithm in TURNED.items():
            *_, (number, made) = released(setting, algorithm, people)
            yield row_of(setting, name, number, made, True, True)


def released(setting: Setting, algorithm: Algorithm, people: turnover.People) -> Iterator[tuple[int, Published]]:
    """The releases one after the other, from 1 on."""
    for number, made in enumerate(algorithm(turnover.tables(people, setting, SEED)), 1):
        if len(made.grouping.unplaced):
            raise RuntimeError("somebody was not published")
        yield number, made


def row_of(setting: Setting, name: str, number: int, made: Published, asked: bool, looked_at: bool) -> Row:
    """What is seen of one release."""
    return Row(
        people=len(made.table),
        turnover=setting.turnover,
        algorithm=name,
        release=number,
        groups=len(made.grouping.signature),
        unsafe=made.unsafe,
        counterfeits=len(made.grouping.counterfeits),
        errors=errors(made.table, made.grouping) if asked else (),
        looks=tuple(looks(made, number)) if looked_at else (),
    )


def is_looked_at(release: int) -> bool:
    """The adversary looks at the first releases, where most happens, and then now and again."""
    return release <= FIRST or release % EVERY == 0


def is_asked(release: int) -> bool:
    """Queries take long, and their error changes little."""
    return release == 1 or release % EVERY == 0


def looks(made: Published, releases: int) -> Iterator[Look]:
    """Of the people published so far whom the adversary does not know: who is exposed, and who is not decided."""
    history, truth, people = made.read()
    drawn = np.random.default_rng(SEED).permutation(people).astype(np.int32)
    for share in KNOWN:
        found = exposed_to(LedgerHistory(history, truth, releases, people), drawn[: round(share * people)], SECONDS)
        yield Look(found.people, found.exposed, found.undecided, float(f(share, releases, M, N)))


def errors(table: Table, made: Grouping, queries: int = QUERIES) -> tuple[float, ...]:
    """The median relative error of COUNT queries, by selectivity, as `utility` asks them."""
    found = release_of(table, made)
    rng = np.random.default_rng(SEED)
    asked = (utility.of_generalized(found, share, queries, rng) for share in SELECTIVITIES)
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
