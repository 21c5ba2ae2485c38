"""utility: what is a release still good for? Random COUNT queries, answered from it and from the table.

A query asks how many people have certain quasi-identifiers (a range of a number, some of the categories)
and certain private values; its parts are drawn so that about the wanted share of the table would match if
columns were independent and even. They are not, so the share that did match is told beside the wanted one.
The relative error is |told - truth| / truth, over queries with a truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses import generalized
from deniable.analyses.coded import Column, Source, encode
from deniable.bind.files import need
from deniable.bind.published import bucketized_folder, is_republished
from deniable.engines import save_table
from deniable.engines.scope import Scope
from deniable.frozen import frozen
from deniable.kernels import in_pieces, work
from deniable.release import Release
from deniable.shown import Shown
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Floats, Int32s, different

if TYPE_CHECKING:
    import pyarrow as pa

SELECTIVITIES = (0.01, 0.02, 0.05, 0.1)
MOST_COLUMNS = 3  # quasi-identifiers in one query
_ROUNDS = 20  # of drawing, until enough queries have a truth


@frozen
class Errors:
    """Queries of one selectivity, and the shares of the table that they realised: the median, and the quartiles."""

    selectivity: float
    queries: int
    median_error: float | None
    p25: float | None
    p75: float | None
    realised: float | None
    realised_p25: float | None
    realised_p75: float | None


@frozen(repr=False)
class Utility(Shown):
    """How well a release answers queries, and how tight its groups are."""

    release: Release
    errors: tuple[Errors, ...]
    people: int
    withheld: int
    groups: int
    mean_size: float
    extent: float  # of a group, on average: the share of each quasi-identifier's values that it spans

    @property
    def table(self) -> pa.Table:
        """One row for each selectivity."""
        import pyarrow as pa

        from deniable.arrow import arrow_array

        names = [one.name for one in fields(Errors)]
        kinds = [np.int64 if name == "queries" else np.float64 for name in names]
        columns = [[getattr(error, name) for error in self.errors] for name in names]
        return pa.table([arrow_array(np.array(c, kind)) for c, kind in zip(columns, kinds, strict=True)], names)

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file."""
        save_table(self.table, path, "selectivity")


@frozen(eq=False)
class CodedRelease:
    """The table and a bucketized release of it as arrays of codes.

    `columns` are the quasi-identifiers and the private column, in this order, as in `table`.
    """

    columns: tuple[Column, ...]
    table: list[Int32s]
    people: list[Int32s]  # quasi-identifiers
    group: Int32s  # of people
    values: Int32s
    group_of_value: Int32s
    groups: int


def analyse(release: Release, folder: Path, scope: Scope, queries: int, seed: int) -> Utility:
    """Read the table and the release, and ask both."""
    need(release, "utility", "private", "quasi")
    rng = np.random.default_rng(seed)
    if is_republished(folder):
        found = generalized.read(release, folder, scope)
        errors = tuple(of_generalized(found, share, queries, rng) for share in _told(SELECTIVITIES))
        told, rows = int(found.people.sum()), len(found.table[0])
        extent = float(np.mean([extents.span for extents in found.extents]))
        return Utility(release, errors, told, rows - told, len(found.rows), float(found.rows.mean()), extent)
    made = _read(release, folder, scope)
    errors = tuple(of_bucketized(made, share, queries, rng) for share in _told(SELECTIVITIES))
    sizes = np.bincount(made.group)
    sizes = sizes[sizes > 0]
    published, total = len(made.group), len(made.table[0])
    extent = _extent(made.people, made.group, made.columns[:-1])
    return Utility(release, errors, published, total - published, len(sizes), float(sizes.mean()), extent)


def _told(shares: Sequence[float]) -> Iterator[float]:
    """One after the other, and at which it is."""
    for place, share in enumerate(shares):
        reach("utility", place, len(shares))
        yield share


def _read(release: Release, folder: Path, scope: Scope) -> CodedRelease:
    """Table, people and values with their columns coded alike."""
    quasi, private = release.quasi, release.private
    files = bucketized_folder(release, folder, scope)
    sources = [
        Source(files.table, (*quasi, private)),
        Source(files.people, (*quasi, "group")),
        Source(files.values, (private, "group")),
    ]
    coded = encode(scope, (*quasi, private, "group"), sources)
    table, (*people, group), (values, group_of_value) = (rows.arrays for rows in coded.rows)
    groups = len(coded.columns[-1].values)
    return CodedRelease(coded.columns[:-1], table, people, group, values, group_of_value, groups)


def of_generalized(found: generalized.Generalized, share: float, wanted: int, rng: np.random.Generator) -> Errors:
    """A re-published release: extents instead of people."""
    table = np.ascontiguousarray(np.stack(found.table))

    def answer(drawn: Bools, truth: Floats, told: Floats) -> None:
        from deniable.worlds.groups.count_queries import count_matching

        with work(len(drawn) * table.size):
            in_pieces(count_matching, len(drawn), table, drawn, truth)
            told[:] = generalized.expected(found, drawn)

    return of_queries(found.columns, share, wanted, rng, answer, table.shape[1])


def of_bucketized(made: CodedRelease, share: float, wanted: int, rng: np.random.Generator) -> Errors:
    """A bucketized release: who is in a group is known, and which values it has."""
    table = np.ascontiguousarray(np.stack(made.table))
    codes = np.ascontiguousarray(np.stack(made.people))
    sizes = np.bincount(made.group, minlength=made.groups).astype(np.float64)

    def answer(drawn: Bools, truth: Floats, told: Floats) -> None:
        from deniable.worlds.groups.count_queries import answer_queries

        published = (codes, made.group, made.group_of_value, made.values, sizes)
        with work(2 * len(drawn) * table.size):
            in_pieces(answer_queries, len(drawn), table, *published, drawn, truth, told)

    return of_queries(made.columns, share, wanted, rng, answer, table.shape[1])


def of_queries(
    columns: Sequence[Column],
    share: float,
    wanted: int,
    rng: np.random.Generator,
    answer: Callable[[Bools, Floats, Floats], None],
    rows: int,
) -> Errors:
    """Draw queries until enough of them have a truth, and compare what the release tells."""
    found, truths = np.empty(0), np.empty(0)
    for _ in range(_ROUNDS):
        drawn = _draw(columns, share, wanted, rng)
        truth, told = np.empty(wanted), np.empty(wanted)
        answer(drawn, truth, told)
        has_truth = truth > 0
        truths = np.concatenate([truths, truth[has_truth]])
        found = np.concatenate([found, np.abs(told[has_truth] - truth[has_truth]) / truth[has_truth]])
        if len(found) >= wanted:
            break
    errors, realised = found[:wanted], truths[:wanted] / rows
    if not len(errors):
        return Errors(share, 0, *(None,) * 6)
    return Errors(share, len(errors), *_quartiles(errors), *_quartiles(realised))


def _quartiles(numbers: Floats) -> tuple[float, float, float]:
    """The median, and the quarters below and above it."""
    low, median, high = (float(x) for x in np.quantile(numbers, (0.25, 0.5, 0.75)))
    return median, low, high


def _draw(columns: Sequence[Column], share: float, count: int, rng: np.random.Generator) -> Bools:
    """Queries as allowed codes: query by column by code. Columns that a query leaves out allow everything."""
    quasi = len(columns) - 1  # the private column is the last
    width = max(len(column.values) for column in columns)
    queries = np.ones((count, len(columns), width), np.bool_)
    asked = min(quasi, MOST_COLUMNS)
    part = share ** (1 / (asked + 1))
    for query in queries:
        for c in (*rng.permutation(quasi)[:asked], quasi):
            size = len(columns[c].values)
            kept = max(1, round(part * size))
            query[c] = False
            if columns[c].is_number and c < quasi:
                start = int(rng.integers(0, size - kept + 1))
                query[c, start : start + kept] = True
            else:
                query[c, rng.permutation(size)[:kept]] = True
    return queries


def _extent(people: Sequence[Int32s], group: Int32s, columns: Sequence[Column]) -> float:
    """The mean over groups and columns of the span (numbers) or of the different values (categories)."""
    groups = int(group.max()) + 1
    present = np.bincount(group, minlength=groups) > 0
    spans = []
    for codes, column in zip(people, columns, strict=True):
        scale = max(1, len(column.values) - 1)
        if column.is_number:
            low, high = np.full(groups, len(column.values)), np.full(groups, -1)
            np.minimum.at(low, group, codes)
            np.maximum.at(high, group, codes)
            spans.append((high - low)[present] / scale)
        else:
            pairs = different(group.astype(np.int64) * len(column.values) + codes)
            cells = np.bincount(pairs // len(column.values), minlength=groups)
            spans.append((cells[present] - 1) / scale)
    return float(np.mean(spans))
