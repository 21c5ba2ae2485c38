"""One person's crowd, for `explain`: what each view says of them, and how many look the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.analyses.crowds.partition import Partition, Prepared, conservative
from deniable.analyses.crowds.plan import Seen
from deniable.sql import crowds as queries

FEW_ROWS = 3
FEW_OTHERS = 5


@dataclass(frozen=True)
class Standing:
    """One row of a person: their crowd, by equal keys."""

    size: int
    values: int | None
    exposed: bool | None
    exact: bool  # whether the crowd is proved to be no larger
    says: tuple[str, ...]  # one sentence for each view
    others: tuple[str, ...]  # a few of the others in the crowd


def standings(prepared: Prepared, who: Sequence[str]) -> tuple[Standing, ...]:
    """The crowds that a person's rows stand in (the first few of them)."""
    found = conservative(prepared)
    found.answer(ordered=False)  # puts the crowds into the engine
    ids = [f"i{i}" for i in range(len(who))]
    cells = {view.number: prepared.plan.cell(view) for view in prepared.plan.views}
    rows = prepared.engine.fetch(queries.standing(ids, who, prepared.keys, cells, FEW_ROWS)).to_pylist()
    return tuple(_standing(prepared, found, ids, who, row) for row in rows)


def _standing(
    prepared: Prepared, found: Partition, ids: Sequence[str], who: Sequence[str], row: dict[str, object]
) -> Standing:
    others = prepared.engine.fetch(queries.others(ids, who, prepared.keys, int(str(row["a"])), FEW_OTHERS))
    return Standing(
        int(str(row["size"])),
        None if row["possible"] is None else int(str(row["possible"])),
        None if row["exposed"] is None else bool(row["exposed"]),
        found.exact,
        tuple(_sentence(prepared, view, row) for view in prepared.plan.views),
        tuple(" ".join(str(cell) for cell in mate.values()) for mate in others.to_pylist()),
    )


def _sentence(prepared: Prepared, view: Seen, row: dict[str, object]) -> str:
    private = prepared.plan.private
    cells = [f"{name} = {_name(row[f'x{view.number}_{i}'])}" for i, name in enumerate(view.shown)]
    shown = ", ".join([*cells, *([f"their {private}"] if view.projects else [])])
    if not row[f"s{view.number}"]:
        return f"{view.name} would not select them, whatever their {private}"
    if not view.on_private:
        return f"{view.name} shows {shown}"
    sets = prepared.sets[view.number]
    changes = sets.changes[int(str(row[prepared.plan.set_column(view)]))]
    held = sum(((change >= 0) & (change <= sets.slot)).astype(np.int64) for change in changes) % 2
    return f"{view.name} would show {shown} for {int(np.sum(held)):,} of {len(sets.slot):,} values of {private}"


def _name(cell: object) -> str:
    return "(null)" if cell is None else str(cell)
