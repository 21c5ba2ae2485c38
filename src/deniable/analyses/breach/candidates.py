"""Where a column is shown in bands of which none says the others: the combinations that one value has.

A join tuple is a candidate if one value of the column's type, let through by WHERE, has all its bands at once
(docs/theory/coarser-columns.md, "What can be joined"). The values are infinitely many, but few stand for all: bands,
caps and parts of dates are intervals, so whatever some value has, the latest beginning of its bands has, or what
follows next on a constant of the condition; and a hierarchy says itself which values there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.breach.plan import AnyViews, CutColumn
from deniable.arrow import arrow_table, arrow_texts
from deniable.bind.functions import base_of
from deniable.bind.views import Bound
from deniable.engines.dialect import ColumnType, Kind
from deniable.engines.scope import Relation
from deniable.errors import Mistake, Reason, Unsupported
from deniable.frozen import frozen
from deniable.release import Coarser
from deniable.sql import any_views, candidates, coarser
from deniable.sql.any_views import Possible
from deniable.sql.build import column
from deniable.sql.coarser import Lookup
from deniable.sql.parse import columns_of

if TYPE_CHECKING:
    from sqlglot import exp


@frozen
class _Cut:
    """One such column: its type, its functions that are shown, and the part of the condition that is about it."""

    bound: Bound
    plan: AnyViews
    column: CutColumn

    @property
    def kind(self) -> ColumnType:
        """The column's type."""
        return self.bound.columns[self.column.name]

    @property
    def functions(self) -> dict[str, Coarser]:
        """What is shown of it."""
        return {name: self.bound.release.columns[name] for name in self.column.shown}

    @property
    def conditions(self) -> list[exp.Expr]:
        """What the condition asks of its values alone."""
        columns, parts = self.bound.release.columns, self.plan.views[0].parts()
        bases = [(part, {base_of(name, columns) for name in columns_of(part)}) for part in parts]
        return [part for part, names in bases if names == {self.column.name}]


def possible(bound: Bound, plan: AnyViews, z: Mapping[str, str]) -> tuple[Possible, ...]:
    """For each column that is cut, the combinations of its functions that one value has."""
    return tuple(_possible(_Cut(bound, plan, one), z) for one in plan.cut)


def _possible(cut: _Cut, z: Mapping[str, str]) -> Possible:
    bound, shown = cut.bound, cut.column.shown
    names = {name: z[name] for name in shown}
    there = candidates.combinations(bound.source, names, cut.plan.condition, bound.text_columns)
    texts = _representatives(cut)
    values = bound.scope.view("values", candidates.values(texts, cut.column.name, cut.kind))
    asked = {name for part in cut.conditions for name in columns_of(part)}
    made = [one for one in bound.made if one.name in shown or one.name in asked]
    with_all = bound.scope.view("with_functions", coarser.with_coarser(values, [cut.column.name], made))
    placed = bound.scope.view("placed", candidates.whole(with_all, [one.name for one in made]))
    others = candidates.combinations(placed, names, any_views.both(cut.conditions), bound.text_columns)
    return Possible(bound.scope.store("possible", candidates.together([there, others])), tuple(names.values()))


def _representatives(cut: _Cut) -> Relation:
    """Values that have every combination that some value has, as text."""
    scope, functions = cut.bound.scope, cut.functions
    looked_up = [one.function for one in cut.bound.made if one.name in functions and isinstance(one.function, Lookup)]
    if looked_up:
        return scope.view("labels", candidates.labels(looked_up[0].levels))
    if any(one.prefix is not None for one in functions.values()):
        raise _refused(cut, Reason("views.unlike_functions", columns=cut.column.shown))
    texts = [*_starts(cut), *_constants(cut)]
    if cut.kind.is_number:
        texts = [text for value in _numbers(texts) for text in _around(value, cut.kind)]
    different = sorted(set(texts))
    table = arrow_table(place=np.arange(len(different))).append_column("x", arrow_texts(different))
    return scope.put("texts", table)


def _starts(cut: _Cut) -> Iterator[str]:
    """Where the bands that are there begin; below a cap every number stands for itself, and is there."""
    cell = column(cut.column.name)
    for one in cut.functions.values():
        if one.cap is not None:
            yield str(one.cap)
            continue
        if one.width is not None:
            tree = coarser.band_start(cell, cut.kind, one.width, one.start)
        else:
            tree = candidates.part_start(cell, one.part or "")
        yield from cut.bound.scope.fetch(candidates.starts(cut.bound.source, tree)).column("x").to_pylist()


def _constants(cut: _Cut) -> Iterator[str]:
    for part in cut.conditions:
        found = candidates.constants(part, cut.column.name, cut.column.shown)
        if found is None:
            raise _refused(cut, Reason("views.tried_condition", column=cut.column.name, columns=cut.column.shown))
        yield from found


def _numbers(texts: Iterable[str]) -> Iterator[Fraction]:
    for text in texts:
        try:
            yield Fraction(Decimal(text))
        except (ArithmeticError, ValueError):  # compared with a number, that is a mistake, and said elsewhere
            continue


def _around(value: Fraction, kind: ColumnType) -> Sequence[str]:
    """The values of a column's type at a number and beside it."""
    if kind.sql == "FLOAT":
        single = np.float32(float(value))
        return [repr(float(np.nextafter(single, np.float32(end)))) for end in (-math.inf, single, math.inf)]
    if kind.sql == "DOUBLE":
        double = float(value)
        return [repr(end) for end in (math.nextafter(double, -math.inf), double, math.nextafter(double, math.inf))]
    places = int(kind.sql.partition(",")[2].rstrip(")") or 0) if kind.kind is Kind.NUMBER else 0
    steps = math.floor(value * 10**places)
    return [f"{Decimal(steps + by).scaleb(-places):f}" for by in (-1, 0, 1, 2)]


def _refused(cut: _Cut, reason: Reason) -> Unsupported:
    return Unsupported(Mistake(cut.bound.release.locations.at("views"), reason))
