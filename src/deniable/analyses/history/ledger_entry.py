"""What the ledger keeps of the next release: who holds which row, and the published bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.history.coded_table import CodedTable
from deniable.analyses.history.next_groups import NextGroups
from deniable.arrow import arrow_array, arrow_table, arrow_texts
from deniable.ledgers.state import pack
from deniable.ledgers.store import Entry
from deniable.publish.again.extents import extents
from deniable.publish.again.release_files import ReleaseRows, counterfeits_csv, group_numbers, release_csv
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.arrays import Bools, Int32s, Int64s

if TYPE_CHECKING:
    import pyarrow as pa


def entry_of(
    rows: CodedTable, made: NextGroups, private: str, mark: str, folder: str, seed: int | None,
    late: Sequence[str] = (), *, excel_safe: bool = False,
) -> Entry:  # fmt: skip
    """What the ledger keeps, the published bytes among it; `late` are quasi-identifiers that not all releases have."""
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    grouping, placed = made.grouping, np.flatnonzero(made.grouping.group >= 0)
    group = grouping.group[placed].astype(np.int64)
    groups = len(grouping.signature)
    numbers = group_numbers(groups, rng)
    fakes = np.diff(grouping.counterfeit_starts)
    seat_group = np.concatenate([group, np.repeat(np.arange(groups), fakes)])
    values = np.concatenate([made.table.values[placed], grouping.counterfeits]).astype(np.int32)
    shown: dict[str, pa.Array] = {}
    for scale, codes in zip(rows.scales, rows.codes, strict=True):
        shown |= extents(scale, codes[placed], group, groups)
    domain = arrow_texts(made.domain)
    files = {
        "release.csv": release_csv(
            ReleaseRows(numbers, shown, private, seat_group, values, domain), rng, excel_safe=excel_safe
        ),
        "counterfeits.csv": counterfeits_csv(numbers, fakes),
    }
    chosen, kept = made.chosen, made.seats
    columns = (numbers, grouping.signature, kept.lineage if kept else np.arange(groups))
    return Entry(
        chosen.algorithm, chosen.m, chosen.n, mark, rows.kinds, folder,
        people=_newcomers(rows, made),
        seats=_kept_seats(kept, numbers) if kept else _seats(made, placed, numbers[seat_group], values),
        groups=pa.table([arrow_array(column) for column in columns], ["grp", "signature", "lineage"]),
        signatures=grouping.signatures, domain=made.domain, files=files, replaced=made.replaced,
        withheld=_withheld(rows, made), state=pack(kept) if kept else b"",
        stayed=_stayed(rows, made, late) if late else None,
    )  # fmt: skip


def _newcomers(rows: CodedTable, made: NextGroups) -> pa.Table:
    """People for the ledger: numbers, cells, value and signature."""
    fresh = np.flatnonzero(made.is_new & (made.person >= 0))
    cells = rows.cells.drop_columns(["row", "x"]).take(arrow_array(fresh))
    signature = made.grouping.signature[made.grouping.group[fresh]]
    numbers = arrow_table(person=made.person[fresh], value=made.table.values[fresh], signature=signature)
    for name in numbers.column_names:
        cells = cells.append_column(name, numbers.column(name))
    return cells


def _stayed(rows: CodedTable, made: NextGroups, late: Sequence[str]) -> pa.Table:
    """People whom the ledger has already, with their cells in columns that it may not have of them."""
    old = np.flatnonzero(~made.is_new & (made.person >= 0))
    return rows.cells.select(list(late)).take(arrow_array(old)).append_column("person", arrow_array(made.person[old]))


def _withheld(rows: CodedTable, made: NextGroups) -> pa.Table | None:
    """Whom this release keeps back; None where that is nobody."""
    waits = np.flatnonzero(made.person < 0)
    names = [name for name in rows.cells.column_names if name.startswith("i")]
    return rows.cells.select(names).take(arrow_array(waits)) if len(waits) else None


def _seats(made: NextGroups, placed: Int64s, group: Int64s, values: Int32s) -> pa.Table:
    """Who holds each row: people, then nobodies with numbers of their own."""
    fakes = len(group) - len(placed)
    person = np.concatenate([made.person[placed], -(made.nobodies + 1 + np.arange(fakes))])
    return _seat_table(group, person, values, np.zeros(len(group), np.bool_))


def _kept_seats(seats: Seats, numbers: Int64s) -> pa.Table:
    """Who holds each row of stable groups, and held those of ghosts."""
    return _seat_table(numbers[seats.group], seats.person, seats.values, seats.ghost)


def _seat_table(group: Int64s, person: Int64s, values: Int32s, ghost: Bools) -> pa.Table:
    import pyarrow as pa

    columns = (arrow_array(column) for column in (group, person, values, ghost))
    return pa.table(list(columns), ["grp", "person", "value", "ghost"])
