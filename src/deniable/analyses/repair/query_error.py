"""How far off are counts that are read from a repaired release?

Computed: random COUNT queries over the columns that stood beside the private one, drawn as `utility` draws them. The
truth is the sum over the table's different rows of how often each is there, times 1 or 0 for every column that is
asked about; the repaired view tells the same sum over its own rows, times the share of a band's different cells that
are asked about. A column that is left out is one band. Every row of a view that says DISTINCT stands for equally many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.coded import Column, Source, encode
from deniable.analyses.repair.space import CoarserStep, DistinctStep, LeaveOutStep, Space
from deniable.analyses.repair.trials import Table
from deniable.analyses.utility import Errors, of_queries
from deniable.arrow import only
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import repair as queries
from deniable.sql import two_views
from deniable.sql.parse import View
from deniable.sql.writing import statement
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s

if TYPE_CHECKING:
    from deniable.analyses.repair.analysis import Repair

SELECTIVITY = 0.05  # of the rows, that a query asks about
QUERIES = 100
MOST_ROWS, MOST_VALUES = 2_000_000, 5_000  # beyond which nothing is computed, and nothing asked about a column
_SEED = 1  # every repair is asked the same


@frozen(eq=False)
class _Cells:
    """Different rows: codes by column, and how many people each row stands for."""

    codes: list[Int32s]
    weights: Floats


@frozen(eq=False)
class _Asked:
    """The view that shows private values, and the table's columns as codes; `fine` are those that are asked about."""

    view: View
    fine: tuple[str, ...]
    private: str
    columns: Mapping[str, Column]
    table: Mapping[str, Int32s]


def query_errors(table: Table, space: Space, repairs: Sequence[Repair]) -> list[Errors | None]:
    """For each repair; None where its views say nothing of the private column, or the table is too large."""
    release = space.release
    shown = [view for view in space.views if release.private in view.columns]
    people = only(table.scope.fetch(two_views.count_rows(table.attached.relation)))
    if not shown or not repairs or people > MOST_ROWS:
        return [None] * len(repairs)
    view = max(shown, key=lambda one: len(one.columns))
    fine = [name for name in view.columns if name not in (*release.id_columns, release.private)]
    coarser = {
        step.name: step.coarser
        for one in repairs
        for step in one.steps
        if isinstance(step, CoarserStep) and step.view == view.name
    }
    names = (*fine, *coarser, release.private)
    wide = replace(release, columns={**release.columns, **coarser})
    tables = [table, *(replace(table, attached=one.attached) for one in repairs if one.withheld is not None)]
    coded = encode(table.scope, names, [Source(_rows(one, wide, view, names), names) for one in tables])
    columns = dict(zip(names, coded.columns, strict=True))
    everybody, *left = (dict(zip(names, rows.arrays, strict=True)) for rows in coded.rows)
    few = tuple(name for name in fine if len(columns[name].values) <= MOST_VALUES)
    if not few:
        return [None] * len(repairs)
    asked, staying = _Asked(view, few, release.private, columns, everybody), iter(left)
    mine = [everybody if one.withheld is None else next(staying) for one in repairs]
    return [
        _errors(asked, one, rows) if view.name in one.release.views else None
        for one, rows in zip(repairs, mine, strict=True)
    ]


def _rows(table: Table, release: Release, view: View, names: Sequence[str]) -> Relation:
    """What a view selects, in these columns."""
    everything = statement(names, release.name, view.condition, distinct=False)
    bound = table.bind(replace(release, views={"everything": everything}))
    return table.scope.view("asked", queries.selected(bound.source, names, view.condition, bound.text_columns))


def _errors(asked: _Asked, repair: Repair, rows: Mapping[str, Int32s]) -> Errors:
    """What somebody reads from the repaired view, beside the table."""
    names = (*asked.fine, asked.private)
    truth = _counted([asked.table[name] for name in names])
    shown = _shown(asked.view, repair)
    told = _told(asked, rows, shown, distinct=_is_distinct(asked.view, repair))
    bands = [_bands(asked, name, shown[name]) for name in asked.fine]

    def answer(drawn: Bools, true: Floats, read: Floats) -> None:
        shares = [drawn[:, c, : len(asked.columns[name].values)].astype(np.float64) for c, name in enumerate(names)]
        true[:] = _totals(truth, shares)
        of_bands = [share @ band.T / band.sum(axis=1) for share, band in zip(shares, bands, strict=False)]
        read[:] = _totals(told, [*of_bands, shares[-1]])

    kinds, people = [asked.columns[name] for name in names], len(asked.table[asked.private])
    return of_queries(kinds, SELECTIVITY, QUERIES, np.random.default_rng(_SEED), answer, people)


def _shown(view: View, repair: Repair) -> dict[str, str | None]:
    """Under which name each column of a view is published, if it is."""
    steps = [step for step in repair.steps if isinstance(step, CoarserStep | LeaveOutStep) and step.view == view.name]
    changed = {step.column: step.name if isinstance(step, CoarserStep) else None for step in steps}
    return {name: changed.get(name, name) for name in view.columns}


def _is_distinct(view: View, repair: Repair) -> bool:
    said = (step.views for step in repair.steps if isinstance(step, DistinctStep))
    return view.distinct or any(view.name in views for views in said)


def _told(asked: _Asked, rows: Mapping[str, Int32s], shown: Mapping[str, str | None], *, distinct: bool) -> _Cells:
    """The repaired view's rows, in the columns that are asked about; one that is left out has one code."""
    people = len(rows[asked.private])
    published = {name: np.zeros(people, np.int32) if band is None else rows[band] for name, band in shown.items()}
    wanted = [published[name] for name in (*asked.fine, asked.private)]
    if not distinct:
        return _counted(wanted)
    first, _ = _different(list(published.values()))
    return _Cells([codes[first] for codes in wanted], np.full(len(first), people / max(1, len(first))))


def _bands(asked: _Asked, name: str, band: str | None) -> Floats:
    """Band by cell of the column: 1 where the cell is in the band."""
    cells = len(asked.columns[name].values)
    inside = np.zeros((1 if band is None else len(asked.columns[band].values), cells))
    inside[0 if band is None else asked.table[band], asked.table[name]] = 1
    return inside


def _counted(codes: list[Int32s]) -> _Cells:
    """Different rows, and how often each is there."""
    first, often = _different(codes)
    return _Cells([column[first] for column in codes], often.astype(np.float64))


def _different(codes: Sequence[Int32s]) -> tuple[Int64s, Int64s]:
    """Where each of the different rows is first, and how often it is there."""
    order = np.lexsort(list(codes))
    starts = np.zeros(len(order), np.bool_)
    starts[:1] = True
    for column in codes:
        ordered = column[order]
        starts[1:] |= ordered[1:] != ordered[:-1]
    places = np.flatnonzero(starts)
    return order[places], np.diff(np.append(places, len(order)))


def _totals(cells: _Cells, shares: Sequence[Floats]) -> Floats:
    """For each query, the sum of weights times the shares of the rows' codes."""
    found = np.empty(len(shares[0]))
    for q in range(len(found)):
        part = cells.weights.copy()
        for share, codes in zip(shares, cells.codes, strict=True):
            part *= share[q][codes]
        found[q] = part.sum()
    return found
