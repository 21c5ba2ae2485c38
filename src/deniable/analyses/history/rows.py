"""The table that is to be published again: cells as text, quasi-identifiers as codes in the order of their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.history.extents import Scale, headings
from deniable.arrow import column_numbers, only
from deniable.bind.files import at_key, need
from deniable.bind.roles import unknown_columns
from deniable.engines.base import Engine
from deniable.engines.dialect import ColumnType
from deniable.errors import BadInput, Mistake, in_order
from deniable.release import Release
from deniable.sql import history as queries
from deniable.worlds.arrays import Int32s as Ints

if TYPE_CHECKING:
    import pyarrow as pa

ROW = "row of the table"  # a column of ours beside the user's


@dataclass(frozen=True, eq=False)
class Rows:
    """Cells (row, i0…, q0…, x) in the order of the rows, and for each quasi-identifier its codes and its scale."""

    cells: pa.Table
    codes: tuple[Ints, ...]
    scales: tuple[Scale, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of the quasi-identifiers."""
        return tuple(scale.kind for scale in self.scales)

    def __len__(self) -> int:
        return int(self.cells.num_rows)


def read_rows(release: Release, engine: Engine) -> Rows:
    """Attach the table and code what groups are made from. Raises BadInput with every mistake."""
    need(release, "republish", "identifier", "quasi", "private")
    text = (*release.id_columns, release.private, *release.generalize)  # labels are text: 007 is not 7
    try:
        columns = engine.attach(
            release.table, "table_file", text=text, types=release.types, folder=release.folder, row=ROW
        )
    except BadInput as error:
        raise BadInput([at_key(release, mistake) for mistake in error.mistakes]) from None
    mistakes = list(unknown_columns(release, list(columns)))
    mistakes += _misplaced(release, columns)
    if mistakes:
        raise BadInput(in_order(mistakes))
    engine.store("cells", queries.cells("table_file", ROW, release.id_columns, release.quasi, release.private))
    _once(release, engine)
    cells = engine.fetch(queries.ordered("cells"))
    kinds = ["hierarchy" if name in release.generalize else kind_of(columns[name]) for name in release.quasi]
    _headings(release, kinds)
    codes, scales = [], []
    for k, (name, kind) in enumerate(zip(release.quasi, kinds, strict=True)):
        column = cells.column(f"q{k}").combine_chunks()
        mine, scale = _hierarchy(release, engine, k, column) if kind == "hierarchy" else coded(name, kind, column)
        codes.append(mine)
        scales.append(scale)
    return Rows(cells, tuple(codes), tuple(scales))


def kind_of(column: ColumnType) -> str:
    """Numbers and dates become intervals; everything else is a category."""
    if column.is_number:
        return "number"
    return "date" if column.is_date else "category"


def _misplaced(release: Release, columns: Iterable[str]) -> Iterator[Mistake]:
    """Columns in roles that they cannot have: what is published must not be what is hidden."""
    locations, ids = release.locations, release.id_columns
    if len(set(ids)) < len(ids):
        yield Mistake(locations.at("identifier"), "identifier: expected every column once; found one twice")
    if release.private in ids:
        what = f"private: expected a column that is not the identifier; found {release.private} as both"
        yield Mistake(locations.at("private"), what)
    for i, name in enumerate(release.quasi):
        where = locations.at("quasi", i) if ("quasi", i) in locations.spans else locations.at("quasi")
        if name == release.private or name in ids:
            what = f"quasi: expected columns other than the identifier and the private one; found {name}"
            yield Mistake(where, what)
        elif name in release.quasi[:i]:
            yield Mistake(where, f"quasi: expected every column once; found {name} twice")
    for name in release.generalize:
        if name in columns and name not in release.quasi:
            what = f"generalize: expected a quasi-identifier; found {name}"
            yield Mistake(locations.at("generalize", name, "<key>"), what)


def _headings(release: Release, kinds: Sequence[str]) -> None:
    """The published columns must differ by name."""
    names = ["group", *(name for q, kind in zip(release.quasi, kinds, strict=True) for name in headings(q, kind))]
    twice = [name for i, name in enumerate([*names, release.private]) if name in names[:i]]
    if twice:
        key = "private" if twice == [release.private] else "quasi"
        what = f"{key}: expected other names than {', '.join(twice)}, which a release has for itself; rename the column"
        raise BadInput(Mistake(release.locations.at(key), what))


def _once(release: Release, engine: Engine) -> None:
    """Everybody is in the table once: a person has one value, and one place in a release."""
    doubled = only(engine.fetch(queries.doubled("cells", len(release.id_columns))))
    if doubled:
        are = "identifier that is" if doubled == 1 else "identifiers that are"
        what = f"{release.title}: expected every identifier once; found {doubled:,} {are} there more than once"
        raise BadInput(Mistake(release.locations.at("table"), what))


def coded(name: str, kind: str, column: pa.Array) -> tuple[Ints, Scale]:
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


def _ranked(encoded: pa.DictionaryArray, order: pa.Array) -> Ints:
    rank = np.empty(len(order), np.int32)
    rank[_numbers(order)] = np.arange(len(order), dtype=np.int32)
    return rank[_numbers(encoded.indices)]


def _numbers(array: pa.Array) -> np.typing.NDArray[np.int64]:
    import pyarrow as pa

    return column_numbers(pa.table([array], names=["n"]), "n").astype(np.int64, copy=False)


def _hierarchy(release: Release, engine: Engine, k: int, column: pa.Array) -> tuple[Ints, Scale]:
    """Codes by the labels of the coarsest level, then of the next finer one: neighbours agree on as much as can be."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name = release.quasi[k]
    file = release.generalize[name]
    levels = read_levels(release, engine, name)
    encoded = column.dictionary_encode(null_encoding="encode")
    cells = encoded.dictionary
    at = pc.index_in(cells, value_set=levels.column(0).combine_chunks())
    if at.null_count:
        are = "value is" if at.null_count == 1 else "values are"
        what = (
            f"generalize.{name}: expected every {name} in the first column of {file}; {at.null_count:,} {are} not there"
        )
        raise BadInput(Mistake(release.locations.at("generalize", name), what))
    paths = levels.take(at)
    coarse_first = [(label, "ascending") for label in reversed(paths.column_names)]
    order = pc.sort_indices(paths, sort_keys=coarse_first)
    labels, of_level = [], []
    for label in paths.column_names:
        level = paths.column(label).combine_chunks().take(order).dictionary_encode(null_encoding="encode")
        labels.append(level.dictionary)
        of_level.append(_numbers(level.indices).astype(np.int32))
    scale = Scale(name, "hierarchy", cells.take(order), tuple(of_level), tuple(labels))
    return _ranked(encoded, order if isinstance(order, pa.Array) else order.combine_chunks()), scale


def read_levels(release: Release, engine: Engine, name: str) -> pa.Table:
    """A hierarchy's file, a row for each finest label. Raises BadInput unless it is a tree."""
    import pyarrow.compute as pc

    where, file = release.locations.at("generalize", name), release.generalize[name]
    try:
        columns = list(engine.attach(file, "levels_file", text=None, types={}, folder=release.folder))
    except BadInput as error:
        raise BadInput([Mistake(where, f"{file}: {mistake.what}") for mistake in error.mistakes]) from None
    found = engine.fetch(queries.texts("levels_file", columns)).combine_chunks()
    for fine in range(len(columns) - 1):
        pairs = found.group_by([f"t{fine}", f"t{fine + 1}"]).aggregate([])
        several = len(pairs) - len(pc.unique(pairs.column(0)))
        if several:
            what = f"{file}: expected one {columns[fine + 1]} for every {columns[fine]}; found {several:,} more"
            raise BadInput(Mistake(where, what))
    return found
