"""The table that is to be published again: cells as text, quasi-identifiers as codes in the order of their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deniable.arrow import column_numbers
from deniable.bind.table_rows import TableRows
from deniable.engines.scope import Scope
from deniable.frozen import frozen
from deniable.publish.again.extents import Scale
from deniable.worlds.arrays import Int32s

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False)
class CodedTable:
    """Cells (row, i0…, q0…, x) in the order of the rows, and for each quasi-identifier its codes and its scale."""

    cells: pa.Table
    codes: tuple[Int32s, ...]
    scales: tuple[Scale, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of the quasi-identifiers."""
        return tuple(scale.kind for scale in self.scales)

    def __len__(self) -> int:
        return int(self.cells.num_rows)

    def in_order(self, names: Sequence[str]) -> CodedTable:
        """The same with the quasi-identifiers in another order."""
        place = {scale.name: k for k, scale in enumerate(self.scales)}
        order = [place[name] for name in names]
        if order == sorted(order):
            return self
        others = [name for name in self.cells.column_names if not name.startswith("q")]
        cells = self.cells.select([*others, *(f"q{k}" for k in order)])
        renamed = cells.rename_columns([*others, *(f"q{k}" for k in range(len(order)))])
        return CodedTable(renamed, tuple(self.codes[k] for k in order), tuple(self.scales[k] for k in order))


def code_table(rows: TableRows, scope: Scope) -> CodedTable:
    """Code what groups are made from."""
    cells = rows.fetch(scope)
    codes, scales = [], []
    for k, (name, kind) in enumerate(zip(rows.release.quasi, rows.kinds, strict=True)):
        column = cells.column(f"q{k}").combine_chunks()
        levels = rows.hierarchies[name].levels if kind == "hierarchy" else None
        mine, scale = coded(name, kind, column) if levels is None else coded_by_levels(name, column, levels)
        codes.append(mine)
        scales.append(scale)
    return CodedTable(cells, tuple(codes), tuple(scales))


def coded(name: str, kind: str, column: pa.Array) -> tuple[Int32s, Scale]:
    """Codes by size or by date, else by text; null comes last."""
    import pyarrow.compute as pc

    encoded = column.dictionary_encode(null_encoding="encode")
    cells = encoded.dictionary
    order = pc.sort_indices(_sizes(cells) if kind == "number" else cells)  # nulls at the end
    return _ranked(encoded, order), Scale(name, kind, cells.take(order))


def _sizes(cells: pa.Array) -> pa.Array:
    """Doubles; decimals where two cells have the same double, such as whole numbers beyond 2^53."""
    import pyarrow as pa
    import pyarrow.compute as pc

    doubles = cells.cast("double")
    if pc.count_distinct(doubles, mode="all").as_py() == len(cells):
        return doubles
    try:
        return cells.cast(pa.decimal256(76, 37))
    except pa.ArrowInvalid:  # 1e99 has no room beside them
        return doubles


def _ranked(encoded: pa.DictionaryArray, order: pa.Array) -> Int32s:
    rank = np.empty(len(order), np.int32)
    rank[_numbers(order)] = np.arange(len(order), dtype=np.int32)
    return rank[_numbers(encoded.indices)]


def _numbers(array: pa.Array) -> np.typing.NDArray[np.int64]:
    import pyarrow as pa

    return column_numbers(pa.table([array], names=["n"]), "n").astype(np.int64, copy=False)


def coded_by_levels(name: str, column: pa.Array, levels: pa.Table) -> tuple[Int32s, Scale]:
    """Codes by the labels of the coarsest level, then of the next finer one: neighbours agree on as much as can be."""
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = column.dictionary_encode(null_encoding="encode")
    cells = encoded.dictionary
    paths = levels.take(pc.index_in(cells, value_set=levels.column(0).combine_chunks()))
    coarse_first = [(label, "ascending") for label in reversed(paths.column_names)]
    order = pc.sort_indices(paths, sort_keys=coarse_first)
    labels, of_level = [], []
    for label in paths.column_names:
        level = paths.column(label).combine_chunks().take(order).dictionary_encode(null_encoding="encode")
        labels.append(level.dictionary)
        of_level.append(_numbers(level.indices).astype(np.int32))
    scale = Scale(name, "hierarchy", cells.take(order), tuple(of_level), tuple(labels))
    return _ranked(encoded, order if isinstance(order, pa.Array) else order.combine_chunks()), scale
