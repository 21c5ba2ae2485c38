"""One person's crowd, for `explain`: what each view says of them, and how many look the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deniable.analyses.crowds.classes import Classes, find_classes
from deniable.analyses.crowds.partition import Partition, conservative
from deniable.analyses.crowds.plan import mentioned
from deniable.bind.views import Bound
from deniable.frozen import frozen
from deniable.sql import crowds as queries
from deniable.sql.keys import TellingView

FEW_ROWS = 3
FEW_OTHERS = 5


@frozen
class Told:
    """What one view says of a person."""

    view: str
    private: str  # the private column
    selects: bool  # whether it selects the person, with some private value at least
    cells: tuple[tuple[str, str | None], ...]  # the public columns that it shows, and what they hold
    shows: tuple[str, ...]  # what it shows of the private value as well
    held: int | None = None  # with how many private values it selects the person; None: with any
    values: int | None = None  # and how many there are


@frozen
class Standing:
    """One row of a person: their crowd, by equal keys."""

    size: int
    values: int | None
    exposed: bool | None
    exact: bool  # whether the crowd is proved to be no larger
    told: tuple[Told, ...]  # by each view
    others: tuple[str, ...]  # a few of the others in the crowd


def standings(bound: Bound, who: Sequence[str], limit: int) -> tuple[Standing, ...]:
    """The crowds that a person's rows stand in (the first few of them)."""
    found = conservative(find_classes(mentioned(bound), limit))
    query = queries.standing(found.placed, found.classes.plan.keys, who, FEW_ROWS)
    return tuple(_standing(found, who, row) for row in bound.scope.fetch(query).to_pylist())


def _standing(found: Partition, who: Sequence[str], row: dict[str, Any]) -> Standing:
    classes = found.classes
    others = queries.others(found.placed, classes.plan.keys.names, who, row["a"], FEW_OTHERS)
    return Standing(
        row["size"],
        row["possible"],
        row["exposed"],
        found.exact,
        tuple(_told(classes, view, row) for view in classes.plan.views),
        tuple(" ".join(str(cell) for cell in mate.values()) for mate in classes.scope.fetch(others).to_pylist()),
    )


def _told(classes: Classes, view: TellingView, row: dict[str, Any]) -> Told:
    keys = classes.plan.keys
    cells = tuple((name, row[f"x{view.number}_{i}"]) for i, name in enumerate(view.shown))
    held = values = None
    if view.on_private:
        selection = classes.selections[view.number]
        values = len(selection.sets.slot)
        held = int(selection.holds(np.full(values, row[keys.set_column(view)]), np.arange(values)).sum())
    return Told(view.name, keys.private, bool(row[f"s{view.number}"]), cells, view.told, held, values)
